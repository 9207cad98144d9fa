// Generated from control.openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/control/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the newest sessions, open and ended. */
        get: operations["list_sessions"];
        put?: never;
        /**
         * Create a session on a page.
         * @description Answers when the page has loaded, or after 15 seconds while it is still loading. The recording starts with the session. A full service answers 429, at once or after `wait_s`.
         */
        post: operations["create_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /** Read a session, open or ended. */
        get: operations["get_session"];
        put?: never;
        post?: never;
        /**
         * End a session.
         * @description Answers when the browser context is closed; the recording is finished in the background. Ending a session again has no effect.
         */
        delete: operations["end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/recording": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete the recording of an ended session before its time.
         * @description From then on nobody gets its replay; its files, in the bucket too, go within seconds. 409 while the recording is being made.
         */
        delete: operations["delete_recording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/cdp": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * Drive a session by the Chrome DevTools Protocol.
         * @description A WebSocket, for `chromium.connectOverCDP` of Playwright or `puppeteer.connect`. Use the `cdp_url` of the session: its token is the credential; the API key as a bearer works as well. The session looks like a browser with one context; other sessions are not visible, and commands that reach the machine are refused.
         */
        get: operations["drive_session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/cdp/json/version": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * Find the WebSocket of a session.
         * @description For clients that take an HTTP URL and request paths below it, as `chromium.connectOverCDP` of Playwright does: give them `cdp_url` with http instead of ws. The token is the credential; the API key as a bearer works as well.
         */
        get: operations["find_websocket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/live": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * See a session live, and act in it.
         * @description A WebSocket. The service sends pictures as binary frames: eight bytes (the number of the picture as 32 bits, the width and the height of the viewport in CSS pixels as 16 bits each; big-endian), then a JPEG. A viewer acknowledges each (`ack`), and gets the newest one only then; while the page is still, nothing is sent. Text frames are JSON: those of the service as `LiveMessage`, those of the viewer as `LiveInput`. Moves of the mouse that the page has no time for are left out; a click waits for none of them. A viewer may send 500 messages a second, 1,000 at once and 512 KiB each. Codes of its end: 4410 the session has ended (the reason of its end follows in brackets), 4403 the token has expired or was withdrawn, 1008 too many messages were not valid or are not read, 1009 a message was too long.
         */
        get: operations["watch_session"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/live/access": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * Read what a credential allows at the live socket.
         * @description A page can't see why a WebSocket is refused; it can ask here. Takes the same credentials.
         */
        get: operations["get_live_access"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /** List the valid tokens that were made for a session. */
        get: operations["list_tokens"];
        put?: never;
        /**
         * Make a token for a session.
         * @description For the key that created the session; there are 100 at most. The tokens in `cdp_url` and `viewer_url` of the session itself are valid until it ends.
         */
        post: operations["create_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
                token_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw a token.
         * @description It is refused at once, on every node, and what is open by it is closed.
         */
        delete: operations["withdraw_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/json/version": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the WebSocket of the session that a token is for.
         * @description For clients that request the root of a server, as Puppeteer does with `browserURL`. The token identifies the session.
         */
        get: operations["find_websocket_by_token"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List automation runs: the active ones, or the newest ended ones. */
        get: operations["list_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/runs/{thread_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run. */
                thread_id: components["parameters"]["ThreadId"];
            };
            cookie?: never;
        };
        /** Read an automation run, active or ended, with its cost. */
        get: operations["get_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/runs/{thread_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run. */
                thread_id: components["parameters"]["ThreadId"];
            };
            cookie?: never;
        };
        /**
         * Read the events of a run, and follow them until it ends.
         * @description Server-sent events with ids: `id: 1` and `data: {…}` for each, the same events as of an automation. Past events come first, then new ones as they happen; the last one (`done`, `error`, `timeout` or `cancelled`) has the id `end`, and the answer ends with it. A reader that was disconnected reconnects with the id of the last event that it has received, and gets each later event once. A run that lost its service or its node ends with an `error` event, `service_died` or `host_lost`: it is not retried. The newest 4 MiB of events of a run are kept, and always the last one; a comment says which older ones are missing. They can be read for a week after the end, through any node.
         */
        get: operations["follow_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/runs/{thread_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run. */
                thread_id: components["parameters"]["ThreadId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a run.
         * @description Its stream ends with a `cancelled` event, and its session ends.
         */
        post: operations["cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/functions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the functions, the newest first. */
        get: operations["list_functions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/functions/{function_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a function, from the `done` event of the run that made it. */
                function_id: components["parameters"]["FunctionId"];
            };
            cookie?: never;
        };
        /** Read a function. */
        get: operations["get_function"];
        put?: never;
        post?: never;
        /** Delete a function. */
        delete: operations["delete_function"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/functions/{function_id}/source": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a function, from the `done` event of the run that made it. */
                function_id: components["parameters"]["FunctionId"];
            };
            cookie?: never;
        };
        /** Show a function as a TypeScript program for Playwright. */
        get: operations["show_function"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/functions/{function_id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a function, from the `done` event of the run that made it. */
                function_id: components["parameters"]["FunctionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a function again, in a new session.
         * @description Answers with the same events as an automation: one `data: ` line each, the last one `done`, `error`, `timeout` or `cancelled`. Extracted data is in `metadata.data` of `done`. No model is called, unless a step no longer fits and a model is configured to heal it. Every one of these four has `total_cost_usd` and `metadata.thread_id`. With `Prefer: respond-async` the run is detached: the answer is 202 with the run, as for an automation.
         */
        post: operations["run_function"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the keys, including revoked ones. */
        get: operations["list_keys"];
        put?: never;
        /** Create a key. */
        post: operations["create_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/keys/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the key. */
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key for good, and end its sessions. */
        delete: operations["revoke_key"];
        options?: never;
        head?: never;
        /** Change roles, quota or expiry of a key, from the next request on. */
        patch: operations["change_key"];
        trace?: never;
    };
    "/control/keys/{name}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the key. */
                name: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a key by a new one of the same name; its sessions and runs stay. */
        post: operations["rotate_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the health of the service.
         * @description Cheap enough for a request every few seconds. A degraded service still accepts sessions.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell that the process answers.
         * @description For a probe that restarts it. What the service depends on is not looked at: a restart would not mend it.
         */
        get: operations["livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell whether new sessions are taken.
         * @description For a probe that sends requests elsewhere.
         */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counters, gauges and latencies, as Prometheus reads them.
         * @description Names begin with `cloud_browser_`, but for those of the process. No label has a value that a client chose.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description `use`: sessions, runs and functions of its own; `operate`: lists, reads and ends the sessions and runs of all keys; `control`: keys; `metrics`: reads `/metrics`. */
        KeyRoles: ("use" | "operate" | "control" | "metrics")[];
        /** @description Quotas of a key; null: no limit but that of the service. */
        KeyQuota: {
            /** @description Maximum number of open sessions; 0 for none. */
            sessions?: number | null;
            /** @description Maximum number of active automation runs; 0 for none. */
            runs?: number | null;
            /** @description Decimal in US dollars with at most six places, such as `1.5`. Maximum cost of its runs per day (UTC). */
            cost_usd_per_day?: string | null;
        };
        CreateKey: {
            /** @description Letters, digits, `.`, `_` and `-`, at most 63, the first one a letter or a digit. It is in logs, and can't be used again, even after the key is revoked. */
            name: string;
            /**
             * @default [
             *       "use"
             *     ]
             */
            roles?: components["schemas"]["KeyRoles"];
            quota?: components["schemas"]["KeyQuota"];
            /**
             * Format: date-time
             * @description When the key expires, as ISO 8601 with a time zone; its sessions end then. Null: never.
             * @default null
             */
            expires_at?: string | null;
        };
        /** @description What is to be changed; all else stays. */
        ChangeKey: {
            roles?: components["schemas"]["KeyRoles"];
            quota?: components["schemas"]["KeyQuota"];
            /**
             * Format: date-time
             * @description When the key expires, as ISO 8601 with a time zone; its sessions end then. Null: never.
             */
            expires_at?: string | null;
        };
        RotateKey: {
            /**
             * @description Seconds for which the replaced key is good, too.
             * @default 0
             */
            overlap_s?: number;
        };
        Key: {
            name: string;
            /** @enum {unknown} */
            state: "active" | "expired" | "revoked";
            roles: components["schemas"]["KeyRoles"];
            quota: components["schemas"]["KeyQuota"];
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When the key expires; null: never.
             */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
        };
        CreateSession: {
            /**
             * Format: uri
             * @description Page that the session starts on: http or https, or about:blank. Parsed as a browser does, so characters beyond RFC 3986 need no encoding.
             * @default about:blank
             */
            url?: string;
            /** @description Size of its pages and of its recording, in CSS pixels. Default: 1280 x 720. */
            viewport?: {
                width: number;
                height: number;
            };
            /** @description Cookies to set before the first page loads. */
            cookies?: components["schemas"]["StartCookie"][];
            /**
             * @description Language of the pages, as a BCP 47 tag.
             * @default en-US
             */
            locale?: string;
            /** @description Idle timeout in seconds: the session ends after that long without activity, also when it was never used. Default: that of the service, and a shorter one until the session is used for the first time. */
            idle_limit_s?: number;
            /** @description Lifetime in seconds: the session ends after that long in any case. Default and maximum: that of the service. */
            total_limit_s?: number;
            /**
             * @description False for a session of which nothing is recorded: it has no replay, and its viewer page shows no pictures (the live socket does).
             * @default true
             */
            record?: boolean;
            /** @description Seconds for which the recording is kept after the end of the session. Default and maximum: that of the service. */
            keep_recording_s?: number;
            /**
             * @description Seconds to wait when the session limit of the service, or the quota of the key, is reached; at most `--max-wait-s`. Requests of one key are served first in, first out, and keys round-robin. A client that disconnects leaves the queue.
             * @default 0
             */
            wait_s?: number;
        };
        StartCookie: {
            name: string;
            value: string;
            domain: string;
            /** @default / */
            path?: string;
            /** @description Expiry in seconds since 1970, in the future; without it, or with -1, the cookie lasts as long as the session. */
            expires?: number;
            /** @default false */
            httpOnly?: boolean;
            /** @default false */
            secure?: boolean;
            /** @enum {unknown} */
            sameSite?: "Strict" | "Lax" | "None";
        };
        Session: {
            /** Format: uuid */
            session_id: string;
            /** @description Name of the key that created it; `main` for the key that the service was started with. */
            key: string;
            /** @enum {unknown} */
            state: "active" | "ended";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at: string | null;
            /**
             * @description Reason of the end; null while the session is open. `unused`: nothing was done with it from the beginning. `flood`: its pages sent more events than the connection shared by all sessions of a browser can carry. `service-died`: the service died, and ended the session at its next start; `ended_at` is the last moment at which the session is known to have been open. `host-lost`: its node was lost; `ended_at` is the last heartbeat of the node.
             * @enum {unknown}
             */
            end_reason: "requested" | "idle" | "unused" | "time-limit" | "page-crashed" | "browser-crashed" | "memory" | "flood" | "shutdown" | "service-died" | "host-lost" | null;
            /** @description Last known URL of the page: without user name and password, with `***` for values of password fields and of parameters named like a secret, cut after 4,096 characters. */
            url: string | null;
            /** @description Last known title of the page. */
            title: string | null;
            /** @description Websocket address that drives the session; null when it has ended, and for other keys than its own. Holds a credential of this session. */
            cdp_url: string | null;
            /** @description Page that shows the session live, with a credential that watches only. A secret. Null when it has ended, and for other keys than its own. */
            viewer_url: string | null;
            /**
             * Format: uuid
             * @description Automation run that the session was opened for; null without one. `GET /control/runs/{thread_id}` has its cost.
             */
            thread_id: string | null;
            /** @description Progress of the recording; null when there is none. */
            recording: components["schemas"]["Recording"] | null;
        };
        Recording: {
            /**
             * @description `recording`: the session is open. `encoding`: the session has ended, its replay is being made. `retrying`: that failed, and is tried again at `next_attempt_at`. `ready`: the replay can be fetched. `empty`: the session showed nothing that could be recorded. `failed`: the journal can't be read. `deleted`: its retention time is over. `deletion-delayed`: its retention time is over and the replay is no longer served, but not all files could be deleted; that is tried again every 15 seconds.
             * @enum {unknown}
             */
            state: "recording" | "encoding" | "retrying" | "ready" | "empty" | "failed" | "deleted" | "deletion-delayed";
            /** @description The state as a sentence, with the reason of the last failure. */
            detail: string;
            /**
             * Format: date-time
             * @description Time of the next attempt to encode the replay; null when none is due.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description Time of the deletion: by default 24 hours after the end of the session; null while the session is open.
             */
            delete_at: string | null;
            /** @description Intervals without pictures. The replay keeps its times, and shows a still picture meanwhile. */
            gaps: components["schemas"]["RecordingGap"][];
        };
        RecordingGap: {
            /** @description In milliseconds from the creation of the session. */
            from_ms: number;
            /** @description In milliseconds from the creation of the session; null while the gap lasts. */
            to_ms: number | null;
            /**
             * @description `write-failed`: for example the disk was full. `size-limit`: the recording reached its size limit.
             * @enum {unknown}
             */
            reason: "write-failed" | "size-limit";
        };
        Health: {
            /**
             * @description `degraded`: a check fails; sessions continue, but something of them may be lost or late. `draining`: the service is stopping and accepts no new sessions; open ones continue for `--drain-s`. `stopping`: sessions are ending.
             * @enum {unknown}
             */
            status: "ok" | "degraded" | "draining" | "stopping";
            /** @description Version of the service. */
            version: string;
            /** @description Number of sessions that count towards `--max-sessions`: open, being created, or ending. */
            sessions: number;
            /** @description Results of the checks, at most two seconds old: a sentence when one fails, otherwise null. */
            checks: {
                /** @description The data folder is writable, and has 64 MiB of free space. */
                storage: string | null;
                /** @description The records of sessions can be read, and all of them are written. */
                records: string | null;
                /** @description The bucket can be used; null also where recordings are kept in the folder. */
                bucket: string | null;
                /** @description ffmpeg is available, and no recording waits for another attempt. */
                encoder: string | null;
                /** @description The last attempt to start a browser succeeded. */
                browsers: string | null;
                /** @description The process keeps up with what it does, and its lease is renewed in time. While it does not, no new sessions are taken. */
                load: string | null;
            };
        };
        Probe: {
            /** @enum {unknown} */
            status: "ok" | "overloaded" | "draining" | "stopping";
            /** @description Version of the service. */
            version: string;
        };
        Problem: {
            detail: string;
        };
        Faults: {
            detail: {
                loc: (string | number)[];
                msg: string;
                type: string;
                input?: unknown;
                ctx?: Record<string, never>;
            }[];
        };
        Run: {
            /** Format: uuid */
            thread_id: string;
            /** @description Name of the key that started it; `main` for the key that the service was started with. */
            key: string;
            /**
             * Format: uuid
             * @description Session of the run, by which its recording can be read; null until it is created.
             */
            session_id: string | null;
            /** @enum {unknown} */
            state: "active" | "ended";
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            ended_at: string | null;
            /**
             * @description Type of the terminal event; null while the run is active. `service-died`: the service died, and ended the run at its next start. `host-lost`: its node was lost.
             * @enum {unknown}
             */
            end: "done" | "error" | "timeout" | "cancelled" | "service-died" | "host-lost" | null;
            /** @description `error` or `reason` of that event; null for `done`. */
            reason: string | null;
            /** @description Cost so far, or in total once it has ended, in US dollars: an exact decimal. */
            cost_usd: string;
            /**
             * Format: uuid
             * @description Function that the run created; null without one.
             */
            function_id: string | null;
            /** @description The task, with `{{names}}` in place of its secrets. Null until the secrets are known; for a new task, until it is done. */
            task: string | null;
            /** @description Number of steps that were performed. */
            steps: number;
        };
        Function: {
            /** Format: uuid */
            function_id: string;
            function_name: string;
            /** Format: date-time */
            created_at: string;
            /** @description Task of the run that created the function. */
            query: string;
            variables: {
                name: string;
                /** @description Default value. Null for a secret, which has to be given. */
                value: string | null;
            }[];
            /** @description Steps, in order. */
            steps: {
                /** @enum {unknown} */
                action: "open" | "back" | "click" | "fill" | "select" | "check" | "press" | "scroll" | "wait" | "extract";
            }[];
        };
        RunFunction: {
            /** @description Values of variables; the others keep their defaults. */
            variables?: {
                [key: string]: string;
            };
        };
        BrowserVersion: {
            /** @description Name and version. */
            Browser: string;
            /** @description Version of the DevTools protocol. */
            "Protocol-Version": string;
            /** @description The `cdp_url` of the session. Holds a credential. */
            webSocketDebuggerUrl: string;
        };
        EventId: string;
        CreateToken: {
            /**
             * @description `watch` sees the session, `steer` sees it and acts in the live socket, `drive` controls it by CDP and does neither of the others.
             * @enum {string}
             */
            scope: "watch" | "steer" | "drive";
            /**
             * @description How long it is valid, in seconds; never longer than the session.
             * @default 3600
             */
            lifetime_s?: number;
        };
        /** @description A token as it is listed, without itself. */
        Token: {
            /** @description Its id, which is no secret. */
            token_id: string;
            /** @enum {string} */
            scope: "watch" | "steer" | "drive";
            /** Format: date-time */
            expires_at: string;
        };
        /** @description A token that was just made. */
        MadeToken: {
            /** @description Its id, which is no secret. */
            token_id: string;
            /** @enum {string} */
            scope: "watch" | "steer" | "drive";
            /** Format: date-time */
            expires_at: string;
            /** @description A secret, which is shown once. */
            token: string;
            /** @description WebSocket that drives the session; null unless the scope is `drive`. */
            cdp_url: string | null;
            /** @description Page that shows the session; null when the scope is `drive`. */
            viewer_url: string | null;
            /** @description Live socket of the session; null when the scope is `drive`. */
            live_url: string | null;
        };
        LiveAccess: {
            /** @enum {string} */
            scope: "watch" | "steer";
            /** @description How many viewers the session has; there are 16 at most. */
            viewers: number;
        };
        /** @description Acknowledges a picture. The next one is sent only then. */
        LiveAck: {
            /** @constant */
            type: "ack";
            /** @description The number in the first four bytes of the picture. */
            picture: number;
        };
        /** @description Changes which pictures are sent. What is left out stays. */
        LiveView: {
            /** @constant */
            type: "view";
            /**
             * @description Widest picture, in pixels. Pictures have one of these widths, or that of the page where that is less: 160, 320, 480, 640, 960, 1280, 1920, 3840.
             * @default 1280
             */
            max_width?: number;
            /**
             * @description Most pictures a second.
             * @default 25
             */
            max_fps?: number;
        };
        /** @description The mouse, in CSS pixels of the viewport. */
        LiveMouse: {
            /** @constant */
            type: "mouse";
            /** @enum {string} */
            action: "move" | "down" | "up";
            x: number;
            y: number;
            /**
             * @description Default: `none` of a move, else `left`.
             * @enum {string}
             */
            button?: "none" | "left" | "middle" | "right" | "back" | "forward";
            /** @description Buttons that are held, as in `MouseEvent.buttons`. */
            buttons?: number;
            /** @default 1 */
            click_count?: number;
            /** @description Keys that are held: 1 Alt, 2 Control, 4 Meta, 8 Shift, or the sum of several. */
            modifiers?: number;
        };
        /** @description A turn of the wheel. */
        LiveWheel: {
            /** @constant */
            type: "wheel";
            x: number;
            y: number;
            delta_x: number;
            delta_y: number;
            /** @description Keys that are held: 1 Alt, 2 Control, 4 Meta, 8 Shift, or the sum of several. */
            modifiers?: number;
        };
        /** @description A key of the keyboard. */
        LiveKey: {
            /** @constant */
            type: "key";
            /** @enum {string} */
            action: "down" | "up";
            /** @description As in `KeyboardEvent.key`. A character is also written, unless Control or Meta is held. */
            key: string;
            /** @description As in `KeyboardEvent.code`. */
            code?: string;
            repeat?: boolean;
            /** @description Keys that are held: 1 Alt, 2 Control, 4 Meta, 8 Shift, or the sum of several. */
            modifiers?: number;
        };
        /** @description A text that is inserted at the caret, such as that of an input method or of a paste. */
        LiveText: {
            /** @constant */
            type: "text";
            text: string;
        };
        /** @description Fingers on the screen; `points` is empty at the end of a touch. */
        LiveTouch: {
            /** @constant */
            type: "touch";
            /** @enum {string} */
            action: "start" | "move" | "end" | "cancel";
            points: {
                x: number;
                y: number;
                id?: number;
            }[];
            /** @description Keys that are held: 1 Alt, 2 Control, 4 Meta, 8 Shift, or the sum of several. */
            modifiers?: number;
        };
        /** @description Chooses or closes a tab. The last one stays open. */
        LiveTab: {
            /** @constant */
            type: "tab";
            /** @enum {string} */
            action: "choose" | "close";
            /** @description From the message `tabs`. */
            tab: string;
        };
        /** @description Opens an address in the current tab, within the same rules as everywhere. */
        LiveAddress: {
            /** @constant */
            type: "address";
            url: string;
        };
        /** @description Goes back or forward, or loads the page again. */
        LiveHistory: {
            /** @constant */
            type: "history";
            /** @enum {string} */
            action: "back" | "forward" | "reload";
        };
        /** @description Answers the dialog that is open. */
        LiveAnswer: {
            /** @constant */
            type: "dialog";
            /** @enum {string} */
            action: "accept" | "dismiss";
            /** @description Answer to a prompt. */
            text?: string;
        };
        /** @description A message of a viewer to the live socket: JSON in a text frame. A socket by a token of the scope `watch` may send `ack` and `view` only. */
        LiveInput: components["schemas"]["LiveAck"] | components["schemas"]["LiveView"] | components["schemas"]["LiveMouse"] | components["schemas"]["LiveWheel"] | components["schemas"]["LiveKey"] | components["schemas"]["LiveText"] | components["schemas"]["LiveTouch"] | components["schemas"]["LiveTab"] | components["schemas"]["LiveAddress"] | components["schemas"]["LiveHistory"] | components["schemas"]["LiveAnswer"];
        /** @description The first message. */
        LiveHello: {
            /** @constant */
            type: "hello";
            session_id: string;
            /** @enum {string} */
            scope: "watch" | "steer";
        };
        /** @description All tabs, sent when one has changed. Addresses are shown without secrets. */
        LiveTabs: {
            /** @constant */
            type: "tabs";
            tabs: {
                tab: string;
                url: string;
                title: string | null;
            }[];
        };
        /** @description The page that the session is on; null where it has none. */
        LivePage: {
            /** @constant */
            type: "page";
            tab: string | null;
            url: string | null;
            title: string | null;
            loading: boolean;
        };
        /** @description The dialog of the page; null when there is none, or it was answered. One that nobody answers is dismissed after 10 seconds, and at once while nobody steers. */
        LiveDialog: {
            /** @constant */
            type: "dialog";
            dialog: null | {
                tab: string;
                /** @description `alert`, `confirm`, `prompt` or `beforeunload`. */
                kind: string;
                message: string;
                default_text: string;
            };
        };
        /** @description A message was not followed. */
        LiveError: {
            /** @constant */
            type: "error";
            /**
             * @description `malformed`, `forbidden` and `too-fast` count: after 20 of them the socket is closed.
             * @enum {string}
             */
            code: "malformed" | "forbidden" | "too-fast" | "refused" | "failed";
            message: string;
            /** @description Type of the message that was not followed; null when it could not be read. */
            of: string | null;
        };
        /** @description A message of the service at the live socket: JSON in a text frame. Binary frames are pictures. */
        LiveMessage: components["schemas"]["LiveHello"] | components["schemas"]["LiveTabs"] | components["schemas"]["LivePage"] | components["schemas"]["LiveDialog"] | components["schemas"]["LiveError"];
    };
    responses: {
        /** @description The API key is missing or wrong. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is invalid; each fault is listed. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Faults"];
            };
        };
        /** @description The request was refused; the text says why. */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Id of a session. */
        SessionId: string;
        /** @description Id of a run. */
        ThreadId: string;
        /** @description Id of a function, from the `done` event of the run that made it. */
        FunctionId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Id of the run. */
        RunId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_sessions: {
        parameters: {
            query?: {
                /** @description Maximum number of sessions in the list. */
                limit?: number;
                /** @description List the sessions in this state only. */
                state?: "active" | "ended";
                /** @description Name of the key whose sessions are listed, `main` for the key that the service was started with, `*` for all. Default: the key of the request; others need the role `operate`. */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions, the newest first. Ended ones are kept for a week. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["Session"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
        };
    };
    create_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSession"];
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["Problem"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session, ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            /** @description The session has ended, but that could not be stored yet, or its node can't be reached; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session; its recording is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    drive_session: {
        parameters: {
            query?: {
                /** @description From `cdp_url`. A secret. */
                token?: string;
            };
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The WebSocket is open. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            /** @description A request without the upgrade to a WebSocket; the text says how to connect. */
            426: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    find_websocket: {
        parameters: {
            query?: {
                /** @description From `cdp_url`. A secret. */
                token?: string;
            };
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser, and the address of its WebSocket. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserVersion"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
        };
    };
    watch_session: {
        parameters: {
            query?: {
                /** @description A token of the scope `watch` or `steer`. A secret. */
                token?: string;
            };
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The WebSocket is open. */
            101: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            /** @description A request without the upgrade to a WebSocket. */
            426: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The session has 16 viewers. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_live_access: {
        parameters: {
            query?: {
                /** @description A token of the scope `watch` or `steer`. A secret. */
                token?: string;
            };
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it allows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveAccess"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
        };
    };
    list_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tokens: components["schemas"]["Token"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
        };
    };
    create_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateToken"];
            };
        };
        responses: {
            /** @description The token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeToken"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["Problem"];
        };
    };
    withdraw_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was withdrawn. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
        };
    };
    find_websocket_by_token: {
        parameters: {
            query?: {
                /** @description From `cdp_url`. A secret. */
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The browser, and the address of its WebSocket. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BrowserVersion"];
                };
            };
            401: components["responses"]["Unauthorized"];
        };
    };
    list_runs: {
        parameters: {
            query?: {
                /** @description `active`: all active runs, of every node. `ended`: the newest 100; ended runs are kept for a week. */
                state?: "active" | "ended";
                /** @description Name of the key whose runs are listed, `main` for the key that the service was started with, `*` for all. Default: the key of the request; others need the role `operate`. */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        runs: components["schemas"]["Run"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
        };
    };
    get_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run. */
                thread_id: components["parameters"]["ThreadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
        };
    };
    follow_run: {
        parameters: {
            query?: {
                /** @description The same, for clients that can't set headers. Default: 0, all events. */
                last_event_id?: components["schemas"]["EventId"];
            };
            header?: {
                /** @description Id of the last event that was received, as an EventSource sends it; takes precedence over the query. */
                "Last-Event-ID"?: components["schemas"]["EventId"];
            };
            path: {
                /** @description Id of a run. */
                thread_id: components["parameters"]["ThreadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The last event was already received. An EventSource does not reconnect. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            /** @description Reader limit (16) of the run reached. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancel_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a run. */
                thread_id: components["parameters"]["ThreadId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run is being cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        cancelled: true;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            /** @description The node of the run can't be reached now; try again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_functions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The functions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        functions: components["schemas"]["Function"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
        };
    };
    get_function: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a function, from the `done` event of the run that made it. */
                function_id: components["parameters"]["FunctionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The function. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Function"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
        };
    };
    delete_function: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a function, from the `done` event of the run that made it. */
                function_id: components["parameters"]["FunctionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The function was deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
        };
    };
    show_function: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a function, from the `done` event of the run that made it. */
                function_id: components["parameters"]["FunctionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The program. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/typescript": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
        };
    };
    run_function: {
        parameters: {
            query?: never;
            header?: {
                /** @description RFC 7240. `respond-async`: the run is detached. `wait=N`: it waits up to N seconds for a free slot, as long as `--max-wait-s` allows; `Preference-Applied` tells how long. */
                Prefer?: string;
            };
            path: {
                /** @description Id of a function, from the `done` event of the run that made it. */
                function_id: components["parameters"]["FunctionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RunFunction"];
            };
        };
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    "x-service-run-id": components["headers"]["RunId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The run continues without a reader. */
            202: {
                headers: {
                    /** @description Path of the run. */
                    Location?: string;
                    "x-service-run-id": components["headers"]["RunId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            /** @description The run could not be started. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: string;
                    };
                };
            };
        };
    };
    list_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, by name, without their secrets. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        keys: components["schemas"]["Key"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
        };
    };
    create_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKey"];
            };
        };
        responses: {
            /** @description The key, which is shown only once: only its hash is stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"] & {
                        /** @description The key itself. A secret. */
                        key: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the key. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        revoked: true;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
        };
    };
    change_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the key. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeKey"];
            };
        };
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
        };
    };
    rotate_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the key. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateKey"];
            };
        };
        responses: {
            /** @description The new key, which is shown only now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        key: string;
                        /**
                         * Format: date-time
                         * @description Until when the replaced key is good.
                         */
                        overlap_until: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All checks pass. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The service is stopping, or a check fails. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Probe"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Probe"];
                };
            };
            /** @description It does not keep up with the sessions that it has, drains or stops. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Probe"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics, in the text format of Prometheus. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
        };
    };
}
