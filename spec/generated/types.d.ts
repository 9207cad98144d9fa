// Generated from openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/sessions/{session_id}/page/scrape": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Scrape the current page of a session.
         * @description Returns what the session's current page holds as Markdown, on request with a list of its images and
         *     with data extracted into a structure that the client defines.
         */
        post: operations["page_scrape"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/cookies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the cookies of a session.
         * @description Returns the cookies that the session's browser holds. Query parameters and extra headers are not shown.
         */
        get: operations["session_cookies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sessions/{session_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch the replay (recording) of a session.
         * @description Returns addresses from which the recording of an ended session can be downloaded or streamed.
         *
         *     Recorded: page navigation and URL changes; clicks, fills, scrolls and key presses; DOM changes and
         *     dynamic content; what the browser showed; real-time timing. Not recorded: audio, the details of network
         *     requests, console logs, what the session was before its first action.
         *
         *     A recording exists once the session has ended, and is deleted 24 hours later. Other parameters and the
         *     error responses of this operation are not shown, and neither are its tags.
         */
        get: operations["session_replay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/automation/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a task given in plain language and follow it as server-sent events.
         * @description The service builds, deploys and runs a reusable web automation function for the task and reports its
         *     progress as server-sent events. The run normally ends with the identifier of the created function, which
         *     can be run again with variables given as a map of string to string; the operation that does so is not
         *     shown.
         *
         *     Each run is billed by the LLM usage of the agent. Sending this request twice starts, and bills, two runs.
         *
         *     Once the stream has connected, a failure of the agent is reported by an `error` event in the stream; no HTTP
         *     error status is used for it.
         */
        post: operations["automation_start"];
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
        /** @description What to scrape and how. Unknown properties are rejected. */
        ScrapeRequest: {
            /** @description Browser-automation selector. Only content inside it is scraped. */
            selector?: string | null;
            /**
             * @description Whether links are scraped.
             * @default true
             */
            scrape_links?: boolean;
            /**
             * @description Whether images are scraped.
             * @default false
             */
            scrape_images?: boolean;
            /** @description Names of HTML tags to ignore. */
            ignored_tags?: string[] | null;
            /**
             * @description When true, navigation bars, footers and similar parts are left out.
             * @default false
             */
            only_main_content?: boolean;
            /**
             * @description When true, only images are scraped, and the page content is left out.
             * @default false
             */
            only_images?: boolean;
            /**
             * @description Structure that the extracted data must follow: a JSON Schema object, or null. Any JSON value is accepted
             *     here.
             */
            response_format?: unknown;
            /** @description More instructions for the extraction, in free text. */
            instructions?: string | null;
            /**
             * @description When true, links and images are replaced by placeholders, which saves prompt tokens. Experimental.
             * @default false
             */
            use_link_placeholders?: boolean;
        };
        /** @description What was scraped from a page. */
        DataSpace: {
            /** @description The extracted data as Markdown. */
            markdown: string;
            /** @description Images extracted from the page, each with an identifier and a download link. */
            images?: components["schemas"]["ImageData"][] | null;
            /** @description Data extracted as JSON, or null. */
            structured?: components["schemas"]["StructuredData"] | null;
        };
        /** @description One image of a page. */
        ImageData: {
            /** @description Address of the image. */
            url?: string | null;
            /** @description Category of the image, or null. */
            category?: components["schemas"]["ImageCategory"] | null;
            /** @description What the image shows. */
            description?: string | null;
        };
        /**
         * @description Category of an image.
         * @enum {string}
         */
        ImageCategory: "favicon" | "icon" | "content_image" | "decorative" | "svg_icon" | "svg_content";
        /** @description Outcome of the extraction into the requested structure. */
        StructuredData: {
            /**
             * @description Whether the extraction succeeded.
             * @default true
             */
            success?: boolean;
            /** @description Why the extraction failed. */
            error?: string | null;
            /** @description The extracted data. A JSON object, any other JSON value, or null. */
            data?: unknown;
        };
        /** @description One problem of a request. */
        ValidationError: {
            /** @description Path to the offending part of the request; an integer is a position in an array. */
            loc: (string | number)[];
            /** @description What is wrong, for people. */
            msg: string;
            /** @description What is wrong, for programs. The set of values is not shown. */
            type: string;
            /** @description The offending value. */
            input?: unknown;
            /** @description More about the problem. Fields not shown. */
            ctx?: Record<string, unknown>;
        };
        /** @description The problems of a request that fails validation. */
        HTTPValidationError: {
            /** @description The problems. */
            detail: components["schemas"]["ValidationError"][];
        };
        /** @description The cookies of a session. */
        CookiesResponse: {
            /** @description The cookies. Their order is not shown. */
            cookies: components["schemas"]["Cookie"][];
        };
        /** @description One cookie of the session's browser. Which fields are always there is not shown. */
        Cookie: {
            /** @description Name of the cookie. */
            name?: string;
            /** @description Value of the cookie. A secret. */
            value?: string;
            /** @description Domain that the cookie belongs to. */
            domain?: string;
            /** @description Path that the cookie belongs to. */
            path?: string;
            /** @description Whether scripts can't read the cookie. */
            httpOnly?: boolean;
            /** @description When the cookie expires. Unit not stated. */
            expirationDate?: number;
            /** @description Whether the cookie is sent to its exact host only. */
            hostOnly?: boolean;
            /** @description Same-site rule of the cookie. The set of values is not shown. */
            sameSite?: string;
            /** @description Whether the cookie is sent over secure connections only. */
            secure?: boolean;
            /** @description Whether the cookie ends with the browser session. */
            session?: boolean;
            /** @description Identifier of the cookie store. */
            storeId?: string;
            /** @description When the cookie expires. Unit not stated, nor how it differs from `expirationDate`. */
            expires?: number;
            /** @description Partition that the cookie is kept in. */
            partitionKey?: string;
        };
        /**
         * @description Where the recording of a session is, and which part of time it covers. The interface marks none of these
         *     fields as optional or nullable.
         */
        ReplayResponse: {
            /** @description Presigned address of the MP4 recording. Its query is a secret. Works until `expires_at`. */
            mp4_url: string;
            /** @description Text of an HLS playlist whose segment addresses are presigned. A secret. Works until `expires_at`. */
            playlist_content: string;
            /** @description When the presigned addresses expire. ISO 8601 timestamp with offset; `Z` is the offset zero. */
            expires_at: string;
            /** @description Start offset of the video in milliseconds. What it is counted from is not stated. */
            video_start_ms: number;
            /** @description Duration of the video in milliseconds. */
            video_duration_ms: number;
        };
        /** @description The task to automate. Whether unknown properties are rejected is not shown. */
        AutomationRequest: {
            /** @description The task, in plain language. */
            query: string;
        };
        /**
         * @description One event of the automation stream, distinguished by `type`. `done`, `error`, `timeout` and `cancelled` are
         *     terminal: the stream ends after one of them. Fields beyond those described are not shown and may occur. Whether
         *     there are types beyond those listed is not said.
         */
        AutomationEvent: components["schemas"]["StatusEvent"] | components["schemas"]["ThinkingDeltaEvent"] | components["schemas"]["TextDeltaEvent"] | components["schemas"]["ToolStartEvent"] | components["schemas"]["ToolResultEvent"] | components["schemas"]["MessageCompleteEvent"] | components["schemas"]["SessionDataEvent"] | components["schemas"]["FunctionUploadedEvent"] | components["schemas"]["DoneEvent"] | components["schemas"]["ErrorEvent"] | components["schemas"]["TimeoutEvent"] | components["schemas"]["CancelledEvent"];
        /** @description A change in the agent's lifecycle. */
        StatusEvent: {
            /** @constant */
            type: "status";
            /** @description The lifecycle state. The set of values and the moves that they indicate are not shown. */
            status: string;
        };
        /** @description A piece of the agent's reasoning. */
        ThinkingDeltaEvent: {
            /** @constant */
            type: "thinking_delta";
            /** @description The piece. How pieces make a whole is not stated. */
            delta: string;
        };
        /** @description A piece of the agent's response text. */
        TextDeltaEvent: {
            /** @constant */
            type: "text_delta";
            /** @description The piece. How pieces make a whole is not stated. */
            delta: string;
        };
        /** @description The agent started to use a tool. */
        ToolStartEvent: {
            /** @constant */
            type: "tool_start";
            /** @description Name of the tool. */
            name: string;
        };
        /** @description A tool gave its result. Which call of which tool it belongs to is not shown. */
        ToolResultEvent: {
            /** @constant */
            type: "tool_result";
            /** @description The result. Its type is not shown. */
            content: unknown;
        };
        /** @description A message of the assistant was persisted. */
        MessageCompleteEvent: {
            /** @constant */
            type: "message_complete";
            /** @description Role of the message's author. The set of values is not shown. */
            role: string;
        };
        /** @description Information on the browser session of the run. The name of the type is exact. */
        SessionDataEvent: {
            /** @constant */
            type: "notte_session_data";
            /** @description Address at which the session can be watched. Treat it as a secret. */
            viewer_url: string;
        };
        /** @description A reusable function was created. */
        FunctionUploadedEvent: {
            /** @constant */
            type: "function_uploaded";
            /**
             * Format: uuid
             * @description Identifier of the function, in UUID form.
             */
            function_id: string;
            /** @description Name of the function. */
            function_name: string;
            /** @description When the function was created. The form is not stated. */
            created_at: string;
        };
        /** @description The agent finished. Terminal. */
        DoneEvent: {
            /** @constant */
            type: "done";
            /** @description Exact cost of the run in US dollars. */
            total_cost_usd: number;
            /**
             * Format: uuid
             * @description Identifier of the created function, in UUID form. Usually there.
             */
            function_id?: string;
            /** @description More about the run. */
            metadata: {
                /**
                 * Format: uuid
                 * @description Identifier of the thread, in UUID form.
                 */
                thread_id: string;
            };
        };
        /** @description Something went wrong after the stream had connected. Terminal. */
        ErrorEvent: {
            /** @constant */
            type: "error";
            /** @description What went wrong. Type and set of values are not shown. */
            error: unknown;
            /** @description More about it. Type and set of values are not shown. */
            detail: unknown;
        };
        /** @description The agent ran out of time. Terminal. */
        TimeoutEvent: {
            /** @constant */
            type: "timeout";
            /** @description Why. The set of values is not shown. */
            reason: string;
            /** @description More about it. Type and set of values are not shown. */
            detail: unknown;
        };
        /** @description The agent was cancelled. Terminal. */
        CancelledEvent: {
            /** @constant */
            type: "cancelled";
            /** @description Why. The set of values is not shown. */
            reason: string;
        };
    };
    responses: {
        /** @description The request fails validation. */
        ValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HTTPValidationError"];
            };
        };
        /**
         * @description Any status that the interface does not describe for this operation, such as the one for an unknown session,
         *     for missing credentials or for a replay that is not ready. Neither status nor body is shown.
         */
        NotDescribed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": unknown;
            };
        };
    };
    parameters: {
        /**
         * @description Identifier of the session. Its form is not shown.
         * @example 9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318
         */
        SessionId: string;
        /** @description Optional. The interface gives the name and the type, and no meaning. */
        ServiceRequestOrigin: string | null;
        /** @description Optional. The version of the client. What the service does with it is not shown. */
        ServiceSdkVersion: string | null;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    page_scrape: {
        parameters: {
            query?: {
                /** @description The interface gives the name, the type and the default, and no meaning. */
                update_metadata?: boolean;
            };
            header?: {
                /** @description Optional. The interface gives the name and the type, and no meaning. */
                "x-service-request-origin"?: components["parameters"]["ServiceRequestOrigin"];
                /** @description Optional. The version of the client. What the service does with it is not shown. */
                "x-service-sdk-version"?: components["parameters"]["ServiceSdkVersion"];
            };
            path: {
                /**
                 * @description Identifier of the session. Its form is not shown.
                 * @example 9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScrapeRequest"];
            };
        };
        responses: {
            /** @description What the page holds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataSpace"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            default: components["responses"]["NotDescribed"];
        };
    };
    session_cookies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the session. Its form is not shown.
                 * @example 9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cookies. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CookiesResponse"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            default: components["responses"]["NotDescribed"];
        };
    };
    session_replay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the session. Its form is not shown.
                 * @example 9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318
                 */
                session_id: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Where the recording is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayResponse"];
                };
            };
            default: components["responses"]["NotDescribed"];
        };
    };
    automation_start: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AutomationRequest"];
            };
        };
        responses: {
            /**
             * @description The event stream. Each event is one line of the form `data: ` followed by a JSON object with a `type`
             *     field. The stream ends after a terminal event (`done`, `error`, `timeout` or `cancelled`).
             *
             *     Whole streams given as examples separate events with the blank line of server-sent events; whether the
             *     service sends one is not shown.
             */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The field `query` is missing, or the body is not valid JSON. The body of this response is not shown. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description The API key is missing or invalid. The body of this response is not shown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description The agent failed to start, or the event stream is unavailable. The body of this response is not shown. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            default: components["responses"]["NotDescribed"];
        };
    };
}
