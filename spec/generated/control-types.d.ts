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
         * @description From then on nobody gets its replay and the files of the session; they go, in the bucket too, within seconds. 409 while the recording is being made.
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
         * @description A WebSocket. The service sends pictures as binary frames: eight bytes (the number of the picture as 32 bits, the width and the height of the viewport in CSS pixels as 16 bits each; big-endian), then a JPEG. A viewer acknowledges each (`ack`), and gets the newest one only then; while the page is still, nothing is sent. Text frames are JSON: those of the service as `LiveMessage`, those of the viewer as `LiveInput`. Moves of the mouse that the page has no time for are left out; a click waits for none of them. A viewer acts while it has the control of the session (`LiveControl`). A viewer may send 500 messages a second, 1,000 at once and 512 KiB each. Codes of its end: 4410 the session has ended (the reason of its end follows in brackets), 4403 the token has expired or was withdrawn, 1008 too many messages were not valid or are not read, 1009 a message was too long.
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
    "/control/sessions/{session_id}/handover": {
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
        /**
         * Ask for a person.
         * @description A program asks a person to do something in the session, and gets exactly one answer: in the response (`wait_s`), or by reading the request again. A session has one open request at a time. While it is open the program keeps the control until a person takes it at the live socket; the answer gives it back.
         */
        post: operations["ask_person"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/handovers": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /** List the requests for a person of a session. */
        get: operations["list_session_handovers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/handovers/{handover_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
                handover_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a request for a person, and wait for its answer.
         * @description On every node, and after the end of the session, too.
         */
        get: operations["get_handover"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/handovers/{handover_id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
                handover_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer a request for a person.
         * @description For those who may steer the session. The first answer counts; the same one may be given again.
         */
        post: operations["answer_handover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow which lists change: of sessions, runs and requests for a person.
         * @description Server-sent events: `data: {"kinds": ["sessions"]}` names the lists that have changed since the event before, on any node, at most two a second; read those lists again. The first event names all of them, so that nothing is missed after a lost connection. Comments keep a quiet stream alive. A list may be named though nothing that it shows has changed; where a node is lost, its sessions and runs change some seconds later, when another node ends them.
         */
        get: operations["follow_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/handovers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests for a person, of all sessions.
         * @description Those of the sessions of the own key; the role `operate` may list those of other keys.
         */
        get: operations["list_handovers"];
        put?: never;
        post?: never;
        delete?: never;
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
         * @description Answers with the same events as an automation: one `data: ` line each, the last one `done`, `error`, `timeout` or `cancelled`. Extracted data is in `metadata.data` of `done`, and files that were downloaded in `metadata.files` (`file_id`, `name`, `size`). No model is called, unless a step no longer fits and a model is configured to heal it. Every one of these four has `total_cost_usd` and `metadata.thread_id`. With `Prefer: respond-async` the run is detached: the answer is 202 with the run, as for an automation.
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
    "/control/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Copy the records of this moment, for a backup, by the key that the service was started with.
         * @description What `cloud-browser backup` asks for: all sessions, runs, functions, keys (as hashes) and profiles (encrypted), as a file of SQLite. One copy at a time.
         */
        get: operations["copy_records"];
        put?: never;
        post?: never;
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
    "/control/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List profiles with their sites, without a value of them. */
        get: operations["list_profiles"];
        put?: never;
        /**
         * Make or replace a profile from a storage state or a cookies.txt file.
         * @description At most 16 MiB. What is wrong is told with its place, in a cookies.txt file with its line, and never with a value.
         */
        post: operations["upload_profile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/profiles/reencrypt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Encrypt all profiles with the first key that are encrypted with another one. Needs the role `operate`. */
        post: operations["reencrypt_profiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/profiles/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the profile. */
                name: string;
            };
            cookie?: never;
        };
        /** Read about a profile, without a value of it. */
        get: operations["get_profile"];
        put?: never;
        post?: never;
        /** Delete a profile. */
        delete: operations["delete_profile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/profiles/{name}/storage-state": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the profile. */
                name: string;
            };
            cookie?: never;
        };
        /** Export a profile as a storage state of Playwright. All values are secrets; only the key that it belongs to gets them. */
        get: operations["export_profile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/files": {
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
         * List the files of a session, open or ended.
         * @description Downloads of its pages, also those in progress, canceled or failed, and uploads; for the key that created the session. They are kept as long as its recording, and deleted with it.
         */
        get: operations["list_files"];
        put?: never;
        /**
         * Upload a file for the file choosers of an open session.
         * @description Send the bytes with the name in the query or in `Content-Disposition`, or one file as `multipart/form-data`. A client that drives the session gives its `path` to `DOM.setFileInputFiles`; any other path is refused.
         */
        post: operations["upload_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
                /** @description Id of a file. */
                file_id: string;
            };
            cookie?: never;
        };
        /**
         * Fetch a file of a session, open or ended.
         * @description Always as an attachment of the type application/octet-stream, which browsers do not sniff; `Range` is answered.
         */
        get: operations["get_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/function": {
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
        /**
         * Make a function of what somebody did in a session.
         * @description Makes a function, as a run ends in one, of the acts of a person or of a program by CDP: clicks, fills, choices, boxes, keys, uploads, addresses, tabs and answers to dialogs become its steps. Each value is a variable, with the one that was given as default. What the timeline keeps nothing of has no default, and has to be given for each run: values of password, one-time-code and card fields, what is in the query of an address, files, and the text of a prompt. A function is only made when each act in the range can be repeated for sure; otherwise the answer names the entries that can't, and why. The session may be open or ended, as long as its timeline is kept. For the key that created the session.
         */
        post: operations["make_function"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/timeline": {
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
         * Read what happened in a session, in order.
         * @description Tabs, navigations, clicks, fills, key presses, scrolling, dialogs, downloads, the steps of a run with their results, hand-overs and the end, each with who did it. Left out, and never stored: what password, one-time-code and card fields hold, what anybody fills into a field of a session that has a run, the fragments of addresses and the values in their queries, and characters that go into no field. Typing into a field is one entry, when the field is left or nothing was typed for two seconds; scrolling is one, too. It is read while the session lives and after its end, through any node, for as long as its recording is kept, and deleted with that. 5,000 entries and 1 MiB of a session are kept; what comes after is counted. A session without a recording has a timeline as long as it lives. For the key that created the session.
         */
        get: operations["read_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/console": {
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
         * Read the newest console messages and failed requests of a session that lives.
         * @description The newest 200 of each. Kept in memory only, and gone when the session ends. Queries of addresses are left out; what else a page writes is told as it is. For the key that created the session, and for tokens of the scopes `steer` and `drive`.
         */
        get: operations["read_console"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/image": {
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
         * Load an image by the network of an open session.
         * @description For a page that shows images of a session and may not ask for them itself, as the console. The current page loads it, through the egress proxy, with its cookies where it is of its own origin: at most 4 MiB, within 15 seconds, eight at a time. PNG, JPEG, GIF, WebP and AVIF, by what the bytes are; anything else, an SVG too, is refused. For the key that created the session.
         */
        get: operations["get_image"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/control/sessions/{session_id}/clipboard": {
        parameters: {
            query?: {
                /** @description A token of the scope `steer` or `drive`, in place of an API key. A secret. */
                token?: string;
            };
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * Copy what is selected in the current page, and read the clipboard of a session.
         * @description Each session has a clipboard of its own, which the service keeps; that of the browser is never read. For API keys of the session, and tokens of the scope steer or drive.
         */
        get: operations["get_clipboard"];
        /** Set the clipboard of a session, and paste it if asked to. */
        put: operations["set_clipboard"];
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
        /** @description `use`: sessions, runs, functions and profiles of its own; `operate`: lists, reads and ends the sessions and runs of all keys, lists and deletes their profiles; `control`: keys; `metrics`: reads `/metrics`. */
        KeyRoles: ("use" | "operate" | "control" | "metrics")[];
        /** @description Quotas of a key; null: no limit but that of the service. */
        KeyQuota: {
            /** @description Maximum number of open sessions; 0 for none. */
            sessions?: number | null;
            /** @description Maximum number of active automation runs; 0 for none. */
            runs?: number | null;
            /** @description Maximum number of profiles; 0 for none. */
            profiles?: number | null;
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
            /** @description Proxy for all traffic of the pages. The service checks addresses as without it, and tells the proxy addresses, not names. */
            proxy?: {
                /** @description http://host:port, https://host:port or socks5://host:port, without credentials. One with an address that is not global has to be on the operator's allow list. */
                server: string;
                /** @description Name that the proxy knows its user by. */
                username?: string;
                /** @description Its password; in no log, error or record. */
                password?: string;
                /**
                 * @description Who resolves names. With `proxy`, which the operator has to allow (`--proxy-dns`), nobody checks the addresses of names: pages reach whatever the proxy does.
                 * @default service
                 * @enum {string}
                 */
                dns?: "service" | "proxy";
            };
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
            profile?: components["schemas"]["UseProfile"];
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
             * @description Reason of the end; null while the session is open. `not-created`: it could not be created, or its client left meanwhile; nobody has had it. `unused`: nothing was done with it from the beginning. `flood`: its pages sent more events than the connection shared by all sessions of a browser can carry. `service-died`: the service died, and ended the session at its next start; `ended_at` is the last moment at which the session is known to have been open. `host-lost`: its node was lost; `ended_at` is the last heartbeat of the node.
             * @enum {unknown}
             */
            end_reason: "requested" | "not-created" | "idle" | "unused" | "time-limit" | "page-crashed" | "browser-crashed" | "memory" | "flood" | "shutdown" | "service-died" | "host-lost" | null;
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
            /** @description Who steers the session; null when it has ended, and in a list where another node has it. */
            control: components["schemas"]["Control"] | null;
            /** @description Profile that the session began with; null without one. */
            profile: components["schemas"]["ProfileUse"] | null;
        };
        /** @description Who steers a session: one at a time. While a person does, commands of CDP clients that act wait (`Input`, navigation, tabs, dialogs, files, changes of elements, cookies and stored data; scripts where the person chose so), at most 1,000 and 32 million characters of them; one more is answered with an error of CDP that says so. */
        Control: {
            /** @enum {string} */
            holder: "program" | "person";
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
            /** @description False while the person is disconnected. */
            connected: boolean;
            /**
             * Format: date-time
             * @description Until when a person who is disconnected keeps the control; null otherwise.
             */
            grace_until: string | null;
            /** @description True when commands that run scripts in pages wait, too. */
            evaluation: boolean;
            /** @description Commands of clients that wait until the control is given back. */
            waiting_commands: number;
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
            /** @description Number of open requests for a person, in sessions of this node. */
            handovers: number;
            /** @description Results of the checks, at most two seconds old: a sentence when one fails, otherwise null. */
            checks: {
                /** @description The data folder is writable, and has 64 MiB of free space. */
                storage: string | null;
                /** @description The records of sessions can be read, their file is whole, and all of them are written. */
                records: string | null;
                /** @description The bucket can be used; null also where recordings are kept in the folder. */
                bucket: string | null;
                /** @description ffmpeg is available, and no recording waits for another attempt. */
                encoder: string | null;
                /** @description The last attempt to start a browser succeeded. */
                browsers: string | null;
                /** @description The process keeps up with what it does, and its lease is renewed in time. While it does not, no new sessions are taken. */
                load: string | null;
                /** @description Every profile is encrypted with a key that the service has; null also where it has none, and so no profiles. */
                profiles: string | null;
            };
        };
        Probe: {
            /** @enum {unknown} */
            status: "ok" | "damaged" | "overloaded" | "draining" | "stopping";
            /** @description Version of the service. */
            version: string;
            /** @description Why the records are damaged, and what to do; only then. */
            reason?: string;
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
            /** @description Task of the run that created the function, or what it was made of. */
            query: string;
            variables: {
                name: string;
                /** @description Default value. Null for one that is not stored, as a secret, which has to be given. */
                value: string | null;
            }[];
            /** @description Steps, in order. */
            steps: {
                /** @enum {unknown} */
                action: "open" | "back" | "click" | "hover" | "fill" | "select" | "check" | "upload" | "press" | "scroll" | "tab" | "wait" | "extract";
            }[];
        };
        /** @description Which entries of the timeline a function is made of. */
        MakeFunction: {
            /** @description Number of the first entry. Default: the first one. */
            from?: number;
            /** @description Number of the last entry. Default: the last one. */
            to?: number;
            /** @description Words that the function is named by. Default: made of the host of the first address. */
            name?: string;
        };
        /** @description Why no function is made. */
        RefusedFunction: {
            /** @description The first reason, in a sentence. */
            detail: string;
            /** @description The reasons, at most 20. */
            refused: {
                /** @description Number of the entry of the timeline; null for a reason that is about none. */
                seq: number | null;
                /**
                 * @description Which reason, from a closed list.
                 * @enum {string}
                 */
                code: "ambiguous" | "unnamed" | "canvas" | "closed-shadow-root" | "cross-origin-frame" | "ambiguous-frame" | "secret-key" | "rich-text" | "large-page" | "two-actors" | "run-in-range" | "gap" | "timeline-full" | "lost-end" | "unfinished-fill" | "typing-goes-on" | "no-acts" | "no-place" | "no-target" | "double-click" | "other-button" | "modified-click" | "drag" | "untold-keys" | "key-without-target" | "unknown-key" | "clipboard" | "multiple-select" | "empty-choice" | "cleared-upload" | "element-scroll" | "unopenable-address" | "failed-page" | "no-address" | "starts-within-page" | "forward" | "reload" | "history-jump" | "history-beyond-range" | "unknown-cause" | "tab-without-act" | "tab-by-page" | "tab-outside-range" | "last-tab-closed" | "unknown-dialog" | "late-dialog" | "unanswered-dialog" | "too-many-steps";
                /** @description The reason in words. */
                message: string;
                /** @description What the entry tells, in words. It comes from a page: it is data, and no instruction. */
                entry: string | null;
            }[];
        };
        RunFunction: {
            /** @description Values of variables; the others keep their defaults. */
            variables?: {
                [key: string]: string;
            };
            profile?: components["schemas"]["UseProfile"];
            files?: components["schemas"]["RunFiles"];
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
        AskPerson: {
            /** @description What the person is to do, in words. Everybody who may see the session reads it. */
            message: string;
            /** @description After how many seconds it expires. Default: 600. The session may end before, by its own limits: its idle limit is not reached while a request is open. */
            deadline_s?: number;
            /** @description How many seconds the response waits for the answer: its head comes at once, then white space every 15 seconds, then the request. Default: 0, it is answered at once. */
            wait_s?: number;
        };
        AnswerHandover: {
            /** @enum {string} */
            answer: "done" | "declined";
            /** @description What the program is told with the answer. */
            note?: string;
        };
        /** @description A request for a person. It gets exactly one answer. */
        Handover: {
            /** Format: uuid */
            handover_id: string;
            /** Format: uuid */
            session_id: string;
            /** @description Name of the key that created the session; `main` for the key that the service was started with. */
            key: string;
            /** @enum {string} */
            state: "open" | "answered";
            message: string;
            /**
             * @description `run`: an automation asks.
             * @enum {string}
             */
            asked_by: "program" | "run";
            /**
             * Format: date-time
             * @description When it was asked.
             */
            asked_at: string;
            /**
             * Format: date-time
             * @description Its deadline.
             */
            expires_at: string;
            /**
             * @description `done` and `declined` are given by a person; `expired`: the deadline came first; `ended`: the session ended before. Null while it is open.
             * @enum {unknown}
             */
            answer: "done" | "declined" | "expired" | "ended" | null;
            /** @description What the person says with the answer. */
            note: string | null;
            /**
             * Format: date-time
             * @description When it was answered; null while it is open.
             */
            answered_at: string | null;
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
        /** @description Takes the control of the session, resumes it after a lost connection, or gives it back. While a viewer has it, commands of CDP clients that act wait, in order, and are executed when it is given back; so does the next step of an automation. A viewer that is disconnected keeps it for a grace time (`--control-grace`, 30 seconds), in which it may connect again and resume it. */
        LiveControl: {
            /** @constant */
            type: "control";
            /** @enum {string} */
            action: "take" | "resume" | "release";
            /** @description For `take`: true to have commands that run scripts in pages (`Runtime.evaluate`, `Runtime.callFunctionOn` and the like) wait, too. Default: false. */
            evaluation?: boolean;
            /** @description For `take`: true to take it from another person. Default: false. */
            force?: boolean;
            /** @description For `resume`: as `LiveLease` had it. */
            lease?: string;
        };
        /** @description Answers the request for a person that is open. The control goes back to the program. */
        LiveHandover: {
            /** @constant */
            type: "handover";
            handover_id: string;
            /** @enum {string} */
            answer: "done" | "declined";
            /** @description What the program is told with the answer. */
            note?: string;
        };
        /** @description A message of a viewer to the live socket: JSON in a text frame. A socket by a token of the scope `watch` may send `ack` and `view` only. */
        LiveInput: components["schemas"]["LiveAck"] | components["schemas"]["LiveView"] | components["schemas"]["LiveMouse"] | components["schemas"]["LiveWheel"] | components["schemas"]["LiveKey"] | components["schemas"]["LiveText"] | components["schemas"]["LiveTouch"] | components["schemas"]["LiveTab"] | components["schemas"]["LiveAddress"] | components["schemas"]["LiveHistory"] | components["schemas"]["LiveAnswer"] | components["schemas"]["LiveControl"] | components["schemas"]["LiveHandover"];
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
        /** @description Who steers the session: sent at the beginning, and when it changes. */
        LiveControlState: {
            /** @constant */
            type: "control";
            /** @enum {string} */
            holder: "program" | "person";
            /** @description True for the viewer that has it. */
            you: boolean;
            /** @description False while the person who has it is disconnected. */
            connected: boolean;
            evaluation: boolean;
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
            /**
             * Format: date-time
             * @description Until when a person who is disconnected keeps it; null otherwise.
             */
            grace_until: string | null;
            /** @description True while commands of a program wait. */
            waiting: boolean;
        };
        /** @description For the viewer that has taken or resumed the control, and for no other: by this it may resume it after a lost connection. A secret. */
        LiveLease: {
            /** @constant */
            type: "lease";
            lease: string;
        };
        /** @description The request for a person that is open: sent at the beginning, and when it changes. */
        LiveRequest: {
            /** @constant */
            type: "handover";
            handover: {
                handover_id: string;
                message: string;
                /**
                 * Format: date-time
                 * @description Its deadline.
                 */
                expires_at: string;
            } | null;
        };
        /** @description A message was not followed. */
        LiveError: {
            /** @constant */
            type: "error";
            /**
             * @description `malformed`, `forbidden` and `too-fast` count: after 20 of them the socket is closed. `not-holder`: the viewer does not have the control; take it first (`LiveControl`). Moves of the pointer are left out without an error then.
             * @enum {string}
             */
            code: "malformed" | "forbidden" | "not-holder" | "too-fast" | "refused" | "failed";
            message: string;
            /** @description Type of the message that was not followed; null when it could not be read. */
            of: string | null;
        };
        /** @description A message of the service at the live socket: JSON in a text frame. Binary frames are pictures. */
        LiveMessage: components["schemas"]["LiveHello"] | components["schemas"]["LiveTabs"] | components["schemas"]["LivePage"] | components["schemas"]["LiveDialog"] | components["schemas"]["LiveControlState"] | components["schemas"]["LiveLease"] | components["schemas"]["LiveRequest"] | components["schemas"]["LiveError"];
        /** @description Files for the file choosers of the run's pages, which its task names: `upload report.pdf to Attachment`. Each is a name and its bytes, as the body of the request allows (1 MiB), or a file of a session of the same key, of any size that a session may have. */
        RunFiles: {
            /** @description Its name, which is made safe; one that is taken gets a number. Default: that of the session's file. */
            name?: string;
            /** @description Its bytes; with `name`. */
            base64?: string;
            /** @description A session of the same key, open or ended; with `file_id`. */
            session_id?: string;
            /** @description A complete file of that session: an upload or a download. */
            file_id?: string;
        }[];
        /** @description Profile that the session begins with. */
        UseProfile: {
            /** @description 1 to 64 letters, digits, dots, underscores and hyphens, the first one a letter or a digit. Name of the profile. */
            name: string;
            /**
             * @description `write`: cookies, local storage and IndexedDB are written back at the end of the session, and a profile that is not there is made; one session at a time. `read`: nothing is written back; any number of sessions.
             * @default write
             * @enum {unknown}
             */
            mode?: "read" | "write";
        };
        ProfileUse: {
            name: string;
            /** @enum {unknown} */
            mode: "read" | "write";
            /**
             * @description `open`: the session goes on. `read`: nothing was to be written back. `saved`: it was written back. `failed`: it could not be, or the profile was deleted meanwhile. `lost`: the session ended before it could be, as with its node. After `failed` and `lost` the version before stands.
             * @enum {unknown}
             */
            outcome: "open" | "read" | "saved" | "failed" | "lost";
            /** @description Reason of `failed` and `lost`, or what is missing of what was `saved`: databases that are too large, values that can't be kept. Contains no value. */
            why: string | null;
            /**
             * Format: date-time
             * @description When the outcome was known.
             */
            settled_at: string | null;
        };
        ProfileSite: {
            /** @description Host of the site, without `www.`. */
            site: string;
            /** @description What looks like a login: a guess by names and forms. Empty where nothing does. */
            login: ("cookie" | "local-storage" | "indexed-db")[];
            /**
             * Format: date-time
             * @description When a login was first saved.
             */
            login_since: string | null;
            /**
             * Format: date-time
             * @description When the first cookie of the login expires; null when none does by itself.
             */
            login_expires_at: string | null;
            /** @description Number of its cookies. */
            cookies: number;
            /** @description Number of entries of its local storage. */
            local_storage: number;
            /** @description Number of its databases (IndexedDB). */
            databases: number;
        };
        Profile: {
            name: string;
            /** @description Name of the key that it belongs to; `main` for the key that the service was started with. */
            key: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last written; null: never, it is empty.
             */
            saved_at: string | null;
            /**
             * Format: date-time
             * @description When a session last began with it.
             */
            used_at: string | null;
            /** @description How often it was written. */
            version: number;
            /** @description Size of its cookies and storage. */
            bytes: number;
            /**
             * @description Which key it is encrypted with: the one that encrypts, one that only decrypts, or one that the service does not have; null while it is empty.
             * @enum {unknown}
             */
            encryption_key: "current" | "old" | "unknown" | null;
            /**
             * Format: uuid
             * @description Session that is open and writes it back at its end.
             */
            in_use_by: string | null;
            /** @description The newest session that had to write it back, for nine days. */
            last_write: (components["schemas"]["ProfileUse"] & {
                /** Format: uuid */
                session_id: string;
            }) | null;
            /** @description Its sites, those with a login first; null when it can't be decrypted. */
            sites: components["schemas"]["ProfileSite"][] | null;
        };
        StateCookie: {
            name: string;
            /** @description A secret. */
            value: string;
            domain: string;
            path: string;
            /** @description In seconds since 1970; -1 for a session cookie. */
            expires: number;
            httpOnly: boolean;
            secure: boolean;
            /** @enum {unknown} */
            sameSite?: "Strict" | "Lax" | "None";
            /** @description Site that a partitioned cookie (CHIPS) is kept under. */
            partitionKey?: string;
            _crHasCrossSiteAncestor?: boolean;
        };
        /** @description Storage state of Playwright, as `context.storageState({ indexedDB: true })` writes it. Other fields are ignored. */
        StorageState: {
            cookies: components["schemas"]["StateCookie"][];
            origins: {
                /** @description Such as https://shop.example. */
                origin: string;
                localStorage: {
                    name: string;
                    value: string;
                }[];
                indexedDB?: {
                    name: string;
                    version: number;
                    stores: {
                        name: string;
                        autoIncrement: boolean;
                        keyPath?: string;
                        keyPathArray?: string[];
                        records: Record<string, never>[];
                        indexes: {
                            name: string;
                            keyPath?: string;
                            keyPathArray?: string[];
                            multiEntry: boolean;
                            unique: boolean;
                        }[];
                    }[];
                }[];
            }[];
        };
        UploadProfile: {
            /** @description 1 to 64 letters, digits, dots, underscores and hyphens, the first one a letter or a digit. Name of the profile. */
            name: string;
            /**
             * @description True to replace a profile of that name.
             * @default false
             */
            replace?: boolean;
            storage_state?: components["schemas"]["StorageState"];
            /** @description Text of a cookies.txt file (the Netscape format), in place of `storage_state`. */
            cookies_txt?: string;
        } & (unknown | unknown);
        File: {
            /**
             * Format: uuid
             * @description Its id; of a download the `guid` of `Browser.downloadWillBegin`.
             */
            file_id: string;
            /**
             * @description How it came: a page downloaded it, or it was uploaded.
             * @enum {string}
             */
            origin: "download" | "upload";
            /**
             * @description How far it is. Only a complete file can be fetched.
             * @enum {string}
             */
            state: "in_progress" | "complete" | "canceled" | "failed";
            /** @description Why it was canceled or failed; null otherwise. */
            reason: string | null;
            /** @description Its name, made safe, and unique in the session. */
            name: string;
            /** @description Its length in bytes; of a download in progress the bytes received so far; 0 when it was not kept. */
            size: number;
            /**
             * Format: date-time
             * @description When it was begun.
             */
            created_at: string;
            /** @description Path for `DOM.setFileInputFiles` of clients that drive the session, while that is open; null for downloads. */
            path: string | null;
        };
        /** @description An entry of a timeline. Which properties it has beside the required ones depends on `kind`; kinds and properties may be added. */
        TimelineEntry: {
            /** @description Its number, 1 for the first. */
            seq: number;
            /** @description When, in milliseconds from the creation of the session; never less than that of the entry before. */
            at_ms: number;
            /** @description When it is in the video, in milliseconds from the start of that; null while there is no video, and for a moment that is not in it. */
            video_ms: number | null;
            /**
             * @description What happened.
             * @enum {string}
             */
            kind: "tab-opened" | "tab-closed" | "navigation" | "click" | "fill" | "select" | "check" | "upload" | "press" | "scroll" | "drag" | "dialog" | "dialog-closed" | "download" | "run-started" | "step" | "run-ended" | "handover" | "dropped" | "end";
            /**
             * @description Who did it: a run of an automation, a client that drives by CDP, a person at a live viewer, the page by itself, or the service.
             * @enum {string}
             */
            by: "run" | "client" | "person" | "page" | "service";
            /** @description Number of the tab, 1 for the first page of the session. */
            tab?: number;
            /** @description What it was done to, as Playwright's `getByRole` finds it; null for the page. */
            target?: null | {
                /** @description ARIA role; null where it has none. */
                role: string | null;
                /** @description Accessible name, or the text where it has no role; at most 100 characters. Empty for the keys of a PIN. */
                name: string;
            };
            /** @description Of `navigation` and `download`: the address without query and fragment. */
            url?: string;
            /** @description Of `navigation`: names of the values in the query, in order, where these values are all that is left out of the address. */
            parameters?: string[];
            /**
             * @description Of `navigation`: more than the values of a query is left out of the address. Of `fill`, `select` and `dialog`: the text lacks something, the queries of addresses in it or what is beyond its longest.
             * @constant
             */
            is_partial?: true;
            /**
             * @description Of `navigation`: how somebody asked for it, not by an act on the page; `history` for a jump of which the direction is unknown.
             * @enum {string}
             */
            asked?: "address" | "back" | "forward" | "reload" | "history";
            /** @description Of `navigation`: the address that was asked for, where the page is at another one now. */
            requested?: {
                url: string;
                parameters?: string[];
                /** @constant */
                is_partial?: true;
            };
            /** @description Of `tab-opened`: number of the tab whose page has opened it. */
            opener?: number;
            /**
             * @description Of `tab-closed`: somebody closed it, and no page itself.
             * @constant
             */
            is_asked?: true;
            /** @description Of `click`: keys that were held, as `Control+Shift`. */
            modifiers?: string;
            /** @description Of `navigation`: the document stayed, only its address changed. */
            same_document?: boolean;
            /** @description Of `fill` and `select`: what the field holds, at most 500 characters; null where that is withheld. */
            value?: string | null;
            /**
             * @description Why the value is withheld.
             * @enum {string}
             */
            withheld?: "password" | "one-time-code" | "card" | "secret";
            /** @description Of `check`. */
            checked?: boolean;
            /** @description Of `press`: the key, as `Enter` or `Control+a`; null for characters that went into no field. */
            key?: string | null;
            /** @description Of `press` without a key: characters; of `click`: 2 for a double click; of `upload`: files; of `select`: options, where the field takes several; of `dropped`: entries. */
            count?: number;
            /**
             * @description Of `click`, where it is not the left one.
             * @enum {string}
             */
            button?: "middle" | "right";
            /** @description Of `scroll`: how far it is scrolled now, in CSS pixels. */
            to?: {
                x: number;
                y: number;
            };
            /** @description How many acts the page left out before this one: more than it may tell in a second. */
            dropped?: number;
            /** @description Of `dialog`: `alert`, `confirm`, `prompt` or `beforeunload`. */
            type?: string;
            /** @description Of `dialog`; null in a session that has a run. */
            message?: string | null;
            /** @description Of `dialog-closed`. */
            accepted?: boolean;
            /** @description Of `download`: the name that the site gave it. */
            file_name?: string;
            /** @description Of `run-started` and `run-ended`: the run. */
            thread_id?: string;
            /** @description Of `run-ended`: type of its terminal event. */
            outcome?: string;
            /** @description Of `step`: name of the tool, as in the events of the run. */
            tool?: string;
            /** @description Of `step`: what came of it, at most 500 characters; null where it has no result. */
            result?: string | null;
            /** @description Of `step`: how long it took. */
            duration_ms?: number;
            /** @description Of `handover`. */
            state?: string;
            /** @description Of `handover`: what was asked for, or answered. */
            words?: string;
            /** @description Of `end`: as `end_reason` of the session. */
            reason?: string;
            /**
             * @description Of `fill`: its end was not seen, as the document went while somebody typed: the field may have held more.
             * @constant
             */
            unfinished?: true;
        };
        /** @description A part of the timeline of a session. */
        Timeline: {
            /** Format: uuid */
            session_id: string;
            /** @enum {string} */
            state: "active" | "ended";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Where the video of the recording lies; null while there is none. */
            video: null | {
                /** @description When it starts, in milliseconds from the creation of the session. */
                start_ms: number;
                /** @description How long it plays. */
                duration_ms: number;
                /** @description Times of which pictures are missing. */
                gaps: components["schemas"]["RecordingGap"][];
            };
            entries: components["schemas"]["TimelineEntry"][];
            /** @description What to give as `after` for the next ones. */
            next_after: number;
            /** @description There are more entries now. */
            has_more: boolean;
        };
        /** @description Newest console messages and failed requests of a session. */
        Console: {
            messages: {
                /** @description When, in milliseconds from the creation of the session. */
                at_ms: number;
                /** @description Number of the tab. */
                tab: number;
                /** @description `log`, `info`, `warning`, `error`, `debug`, and others that pages use. */
                level: string;
                /** @description What was written, at most 2,000 characters, without the queries of addresses. */
                text: string;
                /** @description Address of the script, without its query; empty when it is unknown. */
                url: string;
                /** @description Line in it; 0 when it is unknown. */
                line: number;
            }[];
            failed_requests: {
                /** @description When, in milliseconds from the creation of the session. */
                at_ms: number;
                /** @description Number of the tab; 0 when it is unknown. */
                tab: number;
                /** @description Address, without its query. */
                url: string;
                /** @description Status of the answer; null when there was none. */
                status: number | null;
                /** @description Error of the network, as `net::ERR_FAILED`; null when there was an answer. */
                error: string | null;
            }[];
            /** @description How many older ones were there. */
            forgotten: number;
        };
        Clipboard: {
            /** @description The text of the session's clipboard; empty at first. */
            text: string;
        };
        SetClipboard: {
            /** @description The text. */
            text: string;
            /**
             * @description True to insert it where the cursor of the current page is. The page gets a `paste` event, and may handle it itself.
             * @default false
             */
            paste?: boolean;
        };
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
                /** @description Id of a session: list those that come after it, which were created before. With the last id of each page the next one is read, until a page has fewer than `limit`; sessions that are created or end meanwhile shift nothing. Default: from the newest. */
                after?: string;
                /** @description Name of the key whose sessions are listed, `main` for the key that the service was started with, `*` for all. Default: the key of the request; others need the role `operate`. */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions, the newest first; of one moment, by their ids. Ended ones are kept for a week. */
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
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["Problem"];
            501: components["responses"]["Problem"];
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
    ask_person: {
        parameters: {
            query?: {
                /** @description A token of the scope `drive`, in place of the API key. A secret. */
                token?: string;
            };
            header?: {
                /** @description A text, unique in the session, by which the request is known when it is sent again: it is asked once. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AskPerson"];
            };
        };
        responses: {
            /** @description The request, or the one that has the same `Idempotency-Key`. */
            201: {
                headers: {
                    /** @description Where it is read again. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Handover"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Problem"];
        };
    };
    list_session_handovers: {
        parameters: {
            query?: {
                /** @description A token of the scope `drive` or `steer`, in place of the API key. A secret. */
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
            /** @description The requests, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        handovers: components["schemas"]["Handover"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
        };
    };
    get_handover: {
        parameters: {
            query?: {
                /** @description A token of the scope `drive` or `steer`, in place of the API key. A secret. */
                token?: string;
                /** @description How many seconds the response waits for the answer, as that of `ask_person`. Default: 0. */
                wait_s?: number;
            };
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
                handover_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Handover"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
        };
    };
    answer_handover: {
        parameters: {
            query?: {
                /** @description A token of the scope `steer`, in place of the API key. A secret. */
                token?: string;
            };
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
                handover_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerHandover"];
            };
        };
        responses: {
            /** @description The request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Handover"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Problem"];
        };
    };
    follow_changes: {
        parameters: {
            query?: {
                /** @description Name of a key, `main`, or `*` for all keys. Default: that of the request. */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, without end. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["Problem"];
        };
    };
    list_handovers: {
        parameters: {
            query?: {
                state?: "open" | "answered";
                limit?: number;
                /** @description Name of a key, `main`, or `*` for all keys. Default: that of the request. */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many are open, of the same keys. */
                        open: number;
                        handovers: components["schemas"]["Handover"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
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
            409: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            501: components["responses"]["Problem"];
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
            503: components["responses"]["Problem"];
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
    copy_records: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The records. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.sqlite3": unknown;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            /** @description The records are in PostgreSQL. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Another copy is being made. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            503: components["responses"]["Problem"];
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
            /** @description Its records are damaged, it does not keep up with the sessions that it has, drains or stops. */
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
    list_profiles: {
        parameters: {
            query?: {
                /** @description Name of the key whose profiles are listed, `main` for the key that the service was started with, `*` for all. Default: the key of the request; others need the role `operate`. */
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profiles, by name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        profiles: components["schemas"]["Profile"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            501: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    upload_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadProfile"];
            };
        };
        responses: {
            /** @description The profile. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"] & {
                        /** @description What of the file was left out, such as cookies that have expired. */
                        left_out: string[];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["Problem"];
            501: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    reencrypt_profiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many were. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        reencrypted: number;
                        /** @description Profiles whose key the service does not have, or that were damaged. */
                        unreadable: number;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            501: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    get_profile: {
        parameters: {
            query?: {
                /** @description Name of the key whose profiles are meant, `main` for the key that the service was started with. Default: the key of the request; others need the role `operate`. */
                key?: string;
            };
            header?: never;
            path: {
                /** @description Name of the profile. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Profile"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            501: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    delete_profile: {
        parameters: {
            query?: {
                /** @description Name of the key whose profiles are meant, `main` for the key that the service was started with. Default: the key of the request; others need the role `operate`. */
                key?: string;
            };
            header?: never;
            path: {
                /** @description Name of the profile. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is deleted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        /**
                         * Format: uuid
                         * @description Session that goes on with what it has of it, and writes nothing back.
                         */
                        in_use_by: string | null;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            501: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    export_profile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the profile. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The storage state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StorageState"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            501: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    list_files: {
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
            /** @description The files, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        files: components["schemas"]["File"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    upload_file: {
        parameters: {
            query?: {
                /** @description Name of the file, which pages see. It is made safe: only the last part of a path counts, and unsafe characters are replaced. */
                name?: string;
            };
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            /** @description The file. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["File"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            /** @description The file is larger than one file, or all files of a session, may be. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["Invalid"];
            429: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    get_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
                /** @description Id of a file. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its bytes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description The part that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                };
            };
            /** @description It is known (`If-None-Match`). */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It is in a bucket: `Location` is a presigned URL, valid for five minutes. */
            307: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            /** @description The download is not complete yet. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description The file was not kept; the text says why. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description It does not have the part that was asked for. */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            503: components["responses"]["Problem"];
        };
    };
    make_function: {
        parameters: {
            query?: never;
            header?: {
                /** @description A text, unique in the session, by which the request is known when it is sent again: one function is made. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MakeFunction"];
            };
        };
        responses: {
            /** @description The function. */
            201: {
                headers: {
                    /** @description Where it is read again. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Function"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            /** @description An act in the range can't be repeated for sure. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedFunction"];
                };
            };
            /** @description The timeline was deleted with the recording. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["Invalid"];
            503: components["responses"]["Problem"];
        };
    };
    read_timeline: {
        parameters: {
            query?: {
                /** @description Number of the last entry that is known. Default: 0, from the beginning. */
                after?: number;
                /** @description Most entries: 1 to 1,000, 500 by default. As Markdown, all by default. */
                limit?: number;
                /** @description `json` or `markdown`. Default: `markdown` where the header Accept names `text/markdown`, otherwise `json`. */
                format?: "json" | "markdown";
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
            /** @description The entries after that number. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeline"];
                    "text/markdown": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            /** @description It was deleted with the recording. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["Invalid"];
            503: components["responses"]["Problem"];
        };
    };
    read_console: {
        parameters: {
            query?: {
                /** @description A token of the scope `steer` or `drive`, in place of the key. */
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
            /** @description Messages and failed requests, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Console"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
        };
    };
    get_image: {
        parameters: {
            query: {
                /** @description Address of the image, http or https. */
                url: string;
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
            /** @description The image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    get_clipboard: {
        parameters: {
            query?: {
                /** @description A token of the scope `steer` or `drive`, in place of an API key. A secret. */
                token?: string;
                /** @description False to read it without copying. */
                copy?: boolean;
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
            /** @description The text; what was there before when nothing is selected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clipboard"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    set_clipboard: {
        parameters: {
            query?: {
                /** @description A token of the scope `steer` or `drive`, in place of an API key. A secret. */
                token?: string;
            };
            header?: never;
            path: {
                /** @description Id of a session. */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetClipboard"];
            };
        };
        responses: {
            /** @description The text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Clipboard"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            422: components["responses"]["Invalid"];
            502: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
}
