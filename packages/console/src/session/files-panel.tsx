import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { components } from "@cloud-browser/spec/control-types";
import { control, unwrap, type ListedSession } from "../api/control.ts";
import { usePolled } from "../api/polled.ts";
import { saveBlob } from "../ui/save.ts";
import { Empty, ErrorNotice, Loaded } from "../ui/state.tsx";
import { toError } from "../ui/submit.tsx";
import { formatBytes, Time } from "../ui/time.tsx";
import { DataTable } from "../ui/data-table.tsx";

type SessionFile = components["schemas"]["File"];

const states: Readonly<Record<SessionFile["state"], string>> = {
  in_progress: "on its way",
  complete: "complete",
  canceled: "canceled",
  failed: "failed",
};

/** Panel with the files of a session: downloads of its pages, and uploads for them. */
export function FilesPanel({ session: { session_id, state } }: { session: ListedSession }): JSX.Element {
  const files = usePolled(
    async (signal) =>
      (await unwrap(control.GET("/control/sessions/{session_id}/files", { params: { path: { session_id } }, signal })))
        .files,
    [session_id],
    3_000,
  );
  const error = useSignal<Error | undefined>(undefined);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    error.value = undefined;
    await work().catch((thrown: unknown) => (error.value = toError(thrown)));
    files.again();
  };
  const upload = (file: File | undefined): Promise<void> =>
    attempt(async () => {
      if (!file) return;
      await unwrap(
        control.POST("/control/sessions/{session_id}/files", {
          params: { path: { session_id }, query: { name: file.name } },
          headers: { "content-type": "application/octet-stream" },
          body: file,
          bodySerializer: () => file,
        }),
      );
    });
  const download = ({ file_id, name }: SessionFile): Promise<void> =>
    attempt(async () => {
      const blob = await unwrap(
        control.GET("/control/sessions/{session_id}/files/{file_id}", {
          params: { path: { session_id, file_id } },
          parseAs: "blob",
        }),
      );
      if (blob instanceof Blob) saveBlob(name, blob);
    });
  return (
    <>
      {state === "active" && (
        <label class="upload">
          Upload a file for a file chooser of its pages
          <input
            type="file"
            onChange={({ currentTarget }) => {
              void upload(currentTarget.files?.[0]);
              currentTarget.value = "";
            }}
          />
        </label>
      )}
      {error.value && <ErrorNotice error={error.value} />}
      <Loaded of={files.value} retry={files.again}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No files">
              <p>What its pages download appears here, and is kept as long as the recording.</p>
            </Empty>
          ) : (
            <DataTable label="Files" columns={["Name", "Origin", "State", "Size", "Since"]}>
              {all.map((file) => (
                <tr key={file.file_id}>
                  <td class="wide">
                    {file.state === "complete" ? (
                      <button type="button" class="quiet" onClick={() => void download(file)}>
                        {file.name}
                      </button>
                    ) : (
                      file.name
                    )}
                  </td>
                  <td>{file.origin}</td>
                  <td>
                    {states[file.state]}
                    {file.reason !== null && <span class="sub">{file.reason}</span>}
                  </td>
                  <td class="number">{formatBytes(file.size)}</td>
                  <td>
                    <Time at={file.created_at} />
                  </td>
                </tr>
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </>
  );
}
