import type { JSX } from "preact";
import { control, unwrap, type BrowserFunction } from "../api/control.ts";
import { usePolled } from "../api/polled.ts";
import { links, navigate } from "../routes.ts";
import { Snippet } from "../ui/copy-button.tsx";
import { Empty, ErrorNotice, Loaded } from "../ui/state.tsx";
import { SubmitButton, useSubmit } from "../ui/submit.tsx";
import { Time } from "../ui/time.tsx";
import { DataTable } from "../ui/data-table.tsx";
import { findFileVariables, sayStep } from "./function-values.ts";
import { nameOfRunFile, readRunFiles } from "./run-files.ts";

/** The functions that were made of runs, and of what somebody did. */
export function FunctionsPage(): JSX.Element {
  const functions = usePolled(
    async (signal) => (await unwrap(control.GET("/control/functions", { signal }))).functions,
    [],
    10_000,
  );
  return (
    <>
      <header class="page-head">
        <h1>Functions</h1>
      </header>
      <Loaded of={functions.value} retry={functions.again}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No functions yet">
              <p>
                An automation that is done leaves one: its steps, with variables.{" "}
                <a href={links.automations}>Run a task</a>, or make one of what you did, beside the timeline of a
                session.
              </p>
            </Empty>
          ) : (
            <DataTable label="Table of functions" columns={["Name", "Task", "Variables", "Created"]}>
              {all.map(({ function_id, function_name, query, variables, created_at }) => (
                <tr key={function_id}>
                  <td>
                    <a href={links.function(function_id)}>{function_name}</a>
                  </td>
                  <td class="wide">{query}</td>
                  <td>{variables.map(({ name }) => name).join(", ") || "none"}</td>
                  <td>
                    <Time at={created_at} />
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

/** One function: its variables, to run it again with other values, and its source. */
export function FunctionPage({ id }: { id: string }): JSX.Element {
  const shown = usePolled(
    async (signal) => {
      const path = { function_id: id };
      const [about, source] = await Promise.all([
        unwrap(control.GET("/control/functions/{function_id}", { params: { path }, signal })),
        unwrap(control.GET("/control/functions/{function_id}/source", { params: { path }, parseAs: "text", signal })),
      ]);
      return { about, source };
    },
    [id],
  );
  return (
    <Loaded of={shown.value} retry={shown.again}>
      {({ about, source }) => (
        <>
          <header class="page-head">
            <div>
              <p class="crumbs">
                <a href={links.functions}>Functions</a> /
              </p>
              <h1>{about.function_name}</h1>
              <p>{about.query}</p>
            </div>
          </header>
          <RunAgain about={about} />
          <h2>Steps</h2>
          <ol>
            {about.steps.map((step, index) => (
              <li key={index}>{sayStep(step)}</li>
            ))}
          </ol>
          <h2>Source</h2>
          <Snippet label="Source of the function" text={source} />
        </>
      )}
    </Loaded>
  );
}

/** Runs a function again. A secret has no default, and has to be given. */
function RunAgain({ about }: { about: BrowserFunction }): JSX.Element {
  const { function_id, variables } = about;
  const ofFiles = findFileVariables(about);
  const form = useSubmit(async (fields) => {
    const chosen = new Map([...ofFiles].map((name) => [name, fields.files(name)[0]]));
    const files = await readRunFiles([...chosen.values()].filter((file) => file !== undefined));
    const readVariable = (name: string): string => {
      const file = chosen.get(name);
      return file ? nameOfRunFile(file) : fields.text(name);
    };
    const { response } = await control.POST("/control/functions/{function_id}/run", {
      params: { path: { function_id }, header: { Prefer: "respond-async" } },
      body: {
        variables: Object.fromEntries(variables.map(({ name }) => [name, readVariable(name)])),
        ...(files.length > 0 && { files: [...files] }),
      },
      parseAs: "stream",
    });
    const id = response.headers.get("x-service-run-id");
    await response.body?.cancel();
    if (!response.ok || id === null) throw new Error(`the service answered ${response.status}`);
    navigate(links.run(id));
  });
  return (
    <form class="form" onSubmit={form.submit}>
      {variables.map(({ name, value }) => (
        <label key={name}>
          {name}
          {ofFiles.has(name) ? (
            <input name={name} type="file" required />
          ) : value === null ? (
            <input name={name} type="password" required autoComplete="off" />
          ) : (
            <input name={name} defaultValue={value} autoComplete="off" />
          )}
        </label>
      ))}
      {form.error.value && <ErrorNotice error={form.error.value} />}
      <SubmitButton of={form} label={variables.length > 0 ? "Run it with these values" : "Run it"} busy="Starting" />
    </form>
  );
}
