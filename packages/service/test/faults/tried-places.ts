/** What reaches a place: a life with a service that runs, one that keeps recordings in a bucket, one with a node of a cluster, the start, the stop; or why none of these does, and what else tries it. */
export type Reached = "life" | "bucket" | "cluster" | "start" | "unpacking" | "stop" | { readonly elsewhere: string };

const afterAnother = (by: string): Reached => ({ elsewhere: `only after another write has failed: ${by}` });
const deletion: Reached = { elsewhere: "at the end of a retention time: recorder/test/recording-retention.test.ts" };
const adoption: Reached = { elsewhere: "where another node is lost: cluster/faults/lost-recordings.long.test.ts" };
const copy: Reached = {
  elsewhere:
    "where the encoder of npm may not be run in place; each failure means that there is none, and the next one is tried",
};
const otherFileSystem: Reached = { elsewhere: "where the file system has no second names for a file" };
const files: Reached = { elsewhere: "by downloads whose folder is not writable: files/session-files.long.test.ts" };
const fileDeletion: Reached = { elsewhere: "with the recording: files/session-files.long.test.ts" };
const downloadsAgain: Reached = {
  elsewhere: "by a run that uploads what it has downloaded: files/run-files.long.test.ts",
};
const ownFolder: Reached = { elsewhere: "where a program starts the service without a folder, and gets the error" };

const once: Reached = {
  elsewhere: "by the command `bucket prepare`, which says what failed: cli/bucket-flags.test.ts",
};
const proxies: Reached = {
  elsewhere: "by proxies that are not there, refuse or break off: browsers/test/proxy/upstream.test.ts",
};
const collector: Reached = { elsewhere: "by a collector that is not there: observability/traces.long.test.ts" };
const nodes: Reached = { elsewhere: "by nodes that are stopped, killed or cut off: cluster/faults" };
const settingsFile: Reached = {
  elsewhere: "by the start with --settings, which says what failed: cli/settings-file.test.ts",
};
const profileFiles: Reached = {
  elsewhere: "by the start with --profile-key-file, which says what failed: cli/profile-key.long.test.ts",
};
const check: Reached = { elsewhere: "by `serve --check`, which says what failed: cli/check.test.ts" };
const unseen: Reached = {
  elsewhere: "a folder whose parent can't be read is not judged by that: data-folder.test.ts",
};
const unstarted: Reached = {
  elsewhere: "an ffmpeg that can't be started is none: recorder/test/recording-encoding.test.ts",
};
const longSession: Reached = {
  elsewhere:
    "by sessions of over two minutes, or whose journal has failed; the encoder then runs at the weight of all others",
};
const unmeasured: Reached = {
  elsewhere: "what can't be measured is NaN in the metrics: observability/metrics.test.ts",
};
const uncounted: Reached = { elsewhere: "suspensions are not counted then: monotonic-clock.test.ts" };

const handover: Reached = {
  elsewhere: "by a request for a person, which is refused then, or stays open: handovers/handovers.test.ts",
};

const consoleFiles: Reached = {
  elsewhere: "a console that can't be read is none, and the service starts without it: http/console.test.ts",
};

const profiles: Reached = {
  elsewhere: "a profile that can't be read or written is one that is told: storage/profile-contract.ts, profiles/",
};

const watching: Reached = {
  elsewhere: "by files that are damaged under a service that runs: storage/records-watch.test.ts",
};

const backups: Reached = {
  elsewhere: "by the commands `backup` and `restore`, of which nothing is left then: backup/faults.long.test.ts",
};

/** All places where the sources ask the system for something, and what tries each of them. A place that is new has to be entered here. */
export const triedPlaces: Readonly<Record<string, Reached | readonly Reached[]>> = {
  "service/src/backup/durable-files.ts close": backups,
  "service/src/backup/durable-files.ts fsync": backups,
  "service/src/backup/durable-files.ts open": backups,
  "service/src/backup/durable-files.ts read": backups,
  "service/src/backup/durable-files.ts writeFile": backups,
  "service/src/backup/copied-recordings.ts readFile": backups,
  "service/src/backup/copied-recordings.ts readdir": backups,
  "service/src/backup/copied-recordings.ts rm": backups,
  "service/src/backup/made-folders.ts mkdir": backups,
  "service/src/backup/make-backup.ts realpath": backups,
  "service/src/backup/placed-folder.ts chmod": backups,
  "service/src/backup/placed-folder.ts lstat": backups,
  "service/src/backup/placed-folder.ts mkdir": backups,
  "service/src/backup/placed-folder.ts readdir": backups,
  "service/src/backup/placed-folder.ts rename": backups,
  "service/src/backup/placed-folder.ts rm": backups,
  "service/src/backup/records-copies.ts close": backups,
  "service/src/backup/records-copies.ts open": backups,
  "service/src/backup/records-copies.ts read": backups,
  "service/src/backup/records-copies.ts rm": backups,
  "service/src/backup/records-copies.ts stat": backups,
  "service/src/backup/restore-backup.ts lstat": backups,
  "service/src/backup/restore-backup.ts readFile": backups,
  "service/src/backup/restore-backup.ts readdir": backups,
  "service/src/storage/sqlite/copy-database.ts exec": backups,
  "service/src/storage/sqlite/copy-database.ts get": backups,
  "service/src/storage/sqlite/copy-database.ts open": backups,
  "service/src/storage/sqlite/copy-database.ts prepare": backups,
  "service/src/cli/serve/profile-flags.ts readFileSync": profileFiles,
  "service/src/cli/serve/settings-file.ts readFileSync": settingsFile,
  "service/src/monotonic-clock.ts readFileSync": uncounted,
  "service/src/console/console-files.ts readFileSync": consoleFiles,
  "service/src/console/console-files.ts readdirSync": consoleFiles,
  "service/src/metrics/process-metrics.ts readdir": unmeasured,
  "service/src/metrics/process-metrics.ts statfs": unmeasured,
  "service/src/start/check-parts.ts accessSync": check,
  "service/src/start/check-parts.ts listen": check,
  "service/src/start/check-parts.ts mkdtemp": check,
  "service/src/start/check-parts.ts query": check,
  "service/src/start/check-parts.ts rm": check,
  "service/src/start/check-parts.ts statSync": check,
  "browsers/src/chromium/browser-processes.ts readFileSync": "life",
  "browsers/src/chromium/browser-processes.ts readdirSync": "life",
  "browsers/src/chromium/chromium-binary.ts access": "start",
  "browsers/src/chromium/chromium-binary.ts stat": "start",
  "browsers/src/chromium/chromium-pack.ts chmod": "unpacking",
  "browsers/src/chromium/chromium-pack.ts createReadStream": "unpacking",
  "browsers/src/chromium/chromium-pack.ts createWriteStream": "unpacking",
  "browsers/src/chromium/chromium-pack.ts mkdir": "unpacking",
  "browsers/src/chromium/chromium-pack.ts mkdtemp": "unpacking",
  "browsers/src/chromium/chromium-pack.ts readFile": "start",
  "browsers/src/chromium/chromium-pack.ts readdir": "unpacking",
  "browsers/src/chromium/chromium-pack.ts rename": "unpacking",
  "browsers/src/chromium/chromium-pack.ts rm": "unpacking",
  "browsers/src/chromium/chromium-pack.ts spawn": "start",
  "browsers/src/chromium/chromium-pack.ts stat": "start",
  "browsers/src/chromium/chromium-pack.ts writeFile": "unpacking",
  "browsers/src/chromium/chromium-process.ts mkdtemp": "start",
  "browsers/src/chromium/chromium-process.ts rm": "stop",
  "browsers/src/chromium/chromium-process.ts statfs": "start",
  "browsers/src/chromium/launch.ts spawn": "start",
  "browsers/src/chromium/process-memory.ts readFile": "life",
  "browsers/src/proxy/dns-resolver.ts lookup": "life",
  "browsers/src/proxy/egress-proxy.ts listen": "start",
  "browsers/src/proxy/tunnel.ts connect": "life",
  "browsers/src/proxy/upstream/upstream-connector.ts connect": proxies,
  "recorder/src/encoding/encoder.ts mkdir": "life",
  "recorder/src/encoding/encoder.ts readFile": "life",
  "recorder/src/encoding/encoder.ts readdir": "life",
  "recorder/src/encoding/encoder.ts rename": "life",
  "recorder/src/encoding/encoder.ts rm": "life",
  "recorder/src/encoding/encoder.ts writeFile": "life",
  "recorder/src/encoding/ffmpeg.ts access": copy,
  "recorder/src/encoding/ffmpeg.ts chmod": copy,
  "recorder/src/encoding/ffmpeg.ts copyFile": copy,
  "recorder/src/encoding/ffmpeg.ts execFile": unstarted,
  "recorder/src/encoding/ffmpeg.ts mkdir": copy,
  "recorder/src/encoding/ffmpeg.ts rename": copy,
  "recorder/src/encoding/ffmpeg.ts spawn": "life",
  "recorder/src/encoding/ffmpeg.ts writeFile": longSession,
  "recorder/src/encoding/mp4-duration.ts close": "life",
  "recorder/src/encoding/mp4-duration.ts open": "life",
  "recorder/src/encoding/mp4-duration.ts read": "life",
  "recorder/src/encoding/mp4-duration.ts stat": "life",
  "recorder/src/encoding/transport-stream.ts close": "life",
  "recorder/src/encoding/transport-stream.ts open": "life",
  "recorder/src/encoding/transport-stream.ts readFile": "life",
  "recorder/src/encoding/transport-stream.ts write": "life",
  "recorder/src/journal/chunk.ts readFile": "life",
  "recorder/src/journal/chunk.ts readdir": "life",
  "recorder/src/journal/journal.ts close": "life",
  "recorder/src/journal/journal.ts open": "life",
  "recorder/src/journal/journal.ts rm": afterAnother("recorder/test/recording-journal.test.ts"),
  "recorder/src/journal/journal.ts truncate": afterAnother("recorder/test/recording-journal.test.ts"),
  "recorder/src/journal/journal.ts writev": "life",
  "recorder/src/journal/timeline-file.ts appendFile": "life",
  "recorder/src/journal/timeline-file.ts close": "life",
  "recorder/src/journal/timeline-file.ts open": "life",
  "recorder/src/journal/timeline-file.ts readFile": "life",
  "recorder/src/journal/timeline-file.ts truncate": afterAnother("recorder/test/recording-journal.test.ts"),
  "recorder/src/recordings/adopted-folder.ts mkdir": adoption,
  "recorder/src/recordings/adopted-folder.ts readdir": "start",
  "recorder/src/recordings/adopted-folder.ts rename": adoption,
  "recorder/src/recordings/adopted-folder.ts rm": adoption,
  "recorder/src/recordings/chunk-encodings.ts access": "life",
  "recorder/src/recordings/deletions.ts rm": deletion,
  "recorder/src/recordings/open-recorders.ts mkdir": "life",
  "recorder/src/recordings/open-recorders.ts rm": afterAnother("the life with recording-state.ts"),
  "recorder/src/recordings/recording-folder.ts readdir": "start",
  "recorder/src/recordings/recording-folder.ts stat": {
    elsewhere: "of folders that another process puts there: recorder/test/recording-store.test.ts",
  },
  "recorder/src/recordings/recording-state.ts close": "life",
  "recorder/src/recordings/recording-state.ts fsync": "life",
  "recorder/src/recordings/recording-state.ts open": "life",
  "recorder/src/recordings/recording-state.ts readFile": "start",
  "recorder/src/recordings/recording-state.ts rename": "life",
  "recorder/src/recordings/recording-state.ts rm": afterAnother("the life with recording-state.ts"),
  "recorder/src/recordings/recording-state.ts stat": afterAnother("the start with recording-state.ts readFile"),
  "recorder/src/recordings/recording-state.ts writeFile": "life",
  "recorder/src/recordings/recording.ts mkdir": deletion,
  "recorder/src/recordings/recording.ts readdir": "life",
  "recorder/src/recordings/recording.ts rm": "life",
  "recorder/src/recordings/recordings.ts access": "life",
  "recorder/src/recordings/recordings.ts mkdir": "start",
  "recorder/src/recordings/recordings.ts stat": "life",
  "recorder/src/serving/serve-file.ts close": "life",
  "recorder/src/serving/serve-file.ts open": "life",
  "recorder/src/serving/serve-file.ts read": "life",
  "service/src/storage/sqlite/records-watch.ts closeSync": watching,
  "service/src/storage/sqlite/records-watch.ts exec": watching,
  "service/src/storage/sqlite/records-watch.ts get": watching,
  "service/src/storage/sqlite/records-watch.ts openSync": "start",
  "service/src/storage/sqlite/records-watch.ts prepare": watching,
  "service/src/storage/sqlite/records-watch.ts readSync": watching,
  "service/src/storage/sqlite/records-watch.ts stat": watching,
  "service/src/data-folder.ts accessSync": check,
  "service/src/data-folder.ts mkdirSync": "start",
  "service/src/data-folder.ts readFileSync": "start",
  "service/src/data-folder.ts readdirSync": "start",
  "service/src/data-folder.ts realpathSync": unseen,
  "service/src/data-folder.ts renameSync": "start",
  "service/src/data-folder.ts rmSync": "stop",
  "service/src/data-folder.ts statSync": "start",
  "service/src/data-folder.ts writeFileSync": "start",
  "service/src/health/storage.ts close": "life",
  "service/src/health/storage.ts fdatasync": "life",
  "service/src/health/storage.ts open": "life",
  "service/src/health/storage.ts rm": "life",
  "service/src/health/storage.ts statfs": "life",
  "service/src/health/storage.ts writeFile": "life",
  "service/src/http/listening.ts listen": "start",
  "service/src/files/session-downloads.ts rm": files,
  "service/src/files/session-downloads.ts stat": files,
  "service/src/files/session-files.ts createWriteStream": downloadsAgain,
  "service/src/files/session-files.ts mkdir": "life",
  "service/src/files/session-files.ts open": "life",
  "service/src/files/session-files.ts rm": afterAnother("the life with session-files.ts open"),
  "service/src/storage/files/arrivals.ts mkdir": "life",
  "service/src/storage/files/arrivals.ts rm": "life",
  "service/src/storage/files/folder-file-store.ts copyFile": otherFileSystem,
  "service/src/storage/files/folder-file-store.ts link": "life",
  "service/src/storage/files/folder-file-store.ts mkdir": "life",
  "service/src/storage/files/folder-file-store.ts open": downloadsAgain,
  "service/src/storage/files/folder-file-store.ts readdir": fileDeletion,
  "service/src/storage/files/folder-file-store.ts rm": fileDeletion,
  "service/src/storage/files/folder-file-store.ts stat": "life",
  "service/src/start/open-folder.ts mkdtemp": ownFolder,
  "service/src/start/open-folder.ts rm": ownFolder,
  "service/src/storage/objects/s3-object-store.ts createReadStream": "bucket",
  "service/src/storage/objects/s3-object-store.ts stat": "bucket",
  "service/src/storage/recordings/bucket-timeline.ts access": "bucket",
  "service/src/storage/recordings/journal-parts.ts appendFile": adoption,
  "service/src/storage/recordings/journal-parts.ts close": "bucket",
  "service/src/storage/recordings/journal-parts.ts open": "bucket",
  "service/src/storage/recordings/journal-parts.ts read": "bucket",
  "service/src/storage/sqlite/database.ts chmodSync": "start",
  "service/src/storage/sqlite/database.ts closeSync": "start",
  "service/src/storage/sqlite/database.ts exec": "start",
  "service/src/storage/sqlite/database.ts get": "start",
  "service/src/storage/sqlite/database.ts openSync": "start",
  "service/src/storage/sqlite/database.ts prepare": "start",
  "browsers/src/proxy/forward.ts connect": "life",
  "service/src/http/nodes/forwarding.ts proxyFetch": nodes,
  "service/src/storage/objects/prepare-bucket.ts send": once,
  "service/src/storage/objects/s3-object-store.ts send": "bucket",
  "service/src/tracing/export-traces.ts export": collector,
  "service/src/storage/postgres/migrations.ts query": {
    elsewhere: "at the start of a node, which says what failed: storage/postgres/outages.long.test.ts",
  },
  "service/src/storage/sql/fenced-rows.ts query": ["life", "cluster"],
  "service/src/storage/sql/sql-file-index.ts query": ["life", "cluster"],
  "service/src/storage/sql/sql-function-store.ts query": ["life", "cluster"],
  "service/src/storage/sql/sql-handover-store.ts query": handover,
  "service/src/storage/sql/sql-key-store.ts query": ["life", "cluster"],
  "service/src/storage/sql/sql-lease-store.ts query": "cluster",
  "service/src/storage/sql/sql-profile-store.ts query": profiles,
  "service/src/storage/sql/sql-recording-index.ts query": ["bucket", "cluster"],
  "service/src/storage/sql/sql-run-store.ts query": ["life", "cluster"],
  "service/src/storage/sql/sql-session-store.ts query": ["life", "cluster"],
};

/** Returns the places that something reaches. */
export function listPlaces(...reached: readonly Reached[]): readonly string[] {
  return Object.keys(triedPlaces).filter((place) =>
    [triedPlaces[place] ?? "life"].flat().some((by) => reached.includes(by)),
  );
}
