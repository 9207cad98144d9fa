/** Content of a correct service: a page, its cookies, a recording, a run. */
import type { Fields, Json } from "./messages.ts";

export const markdown =
  "# Harbour ferries\n\nThe next ferry leaves at 14:20 – from [pier 3](https://ferries.example/3).\n";

/** One image of each category, and one that nothing is known of. */
export const images: readonly Fields[] = [
  { url: "https://ferries.example/favicon.ico", category: "favicon", description: null },
  { url: "https://ferries.example/clock.png", category: "icon", description: "Clock" },
  { url: "https://ferries.example/pier.jpg", category: "content_image", description: "Pier 3 – at low tide" },
  { url: "https://ferries.example/waves.png", category: "decorative", description: "" },
  { url: "https://ferries.example/arrow.svg", category: "svg_icon" },
  { url: "https://ferries.example/map.svg", category: "svg_content", description: "Map" },
  { url: null, category: null, description: null },
];

export const structured: Fields = {
  success: true,
  error: null,
  data: { title: "Harbour ferries", heading: "Harbour ferries" },
};

/** Two cookies, one with every field. */
export const cookies: readonly Fields[] = [
  { name: "language", value: "en", domain: ".ferries.example", path: "/", httpOnly: false, expires: -1 },
  {
    name: "sid",
    value: "a1b2c3d4e5f6",
    domain: "ferries.example",
    path: "/tickets",
    httpOnly: true,
    expirationDate: 1_798_761_600.25,
    hostOnly: true,
    sameSite: "lax",
    secure: true,
    session: false,
    storeId: "0",
    expires: 1_798_761_600,
    partitionKey: "https://ferries.example",
  },
];

export const recording: Fields = {
  mp4_url: "https://recordings.example/7c1d/replay.mp4?signature=b6f0",
  playlist_content:
    "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:10\n#EXTINF:10.0,\nhttps://recordings.example/7c1d/0.ts?signature=b6f0\n#EXT-X-ENDLIST\n",
  expires_at: "2036-11-21T09:30:00+00:00",
  video_start_ms: 240,
  video_duration_ms: 10_040,
};

export const functionId = "5b0f7d0e-63a1-4a3c-9c51-0d6a2f6e8b11";
export const threadId = "c1b6a2de-4f7e-4a52-8f0a-9e2d5b7c3f60";

/** One event of each type that does not end a run. */
const progress: readonly Fields[] = [
  { type: "status", status: "starting" },
  { type: "notte_session_data", viewer_url: "https://viewer.example/s/7c1d?token=b6f0" },
  { type: "thinking_delta", delta: "The timetable – it is on the page." },
  { type: "tool_start", name: "open_page" },
  { type: "tool_result", content: "# Harbour ferries" },
  { type: "text_delta", delta: "The next ferry leaves at 14:20." },
  { type: "message_complete", role: "assistant" },
  {
    type: "function_uploaded",
    function_id: functionId,
    function_name: "next_ferry",
    created_at: "2036-11-20T09:30:05+00:00",
  },
];

/** The event that ends a run, by its type. */
export const endings = {
  done: { type: "done", metadata: { thread_id: threadId }, total_cost_usd: 0.0431, function_id: functionId },
  error: { type: "error", error: "agent_failed", detail: "The page never loaded." },
  timeout: { type: "timeout", reason: "max_duration", detail: "The agent ran for 600 seconds." },
  cancelled: { type: "cancelled", reason: "user" },
} as const satisfies Record<string, Json>;

export type Ending = keyof typeof endings;

/** The events of a whole run. */
export const runEndingIn = (ending: Ending): Fields[] => structuredClone([...progress, endings[ending]]);
