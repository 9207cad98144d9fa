/** Calls back with each new picture; returns a function that ends it. */
export type Watch = (listener: (jpeg: Uint8Array) => void) => () => void;

const boundary = "picture";

/** Interval at which a picture is retried that a slow reader could not take, in milliseconds. */
const everyMs = 200;

/**
 * The pictures of a screen as they come, in a form that an `img` of a browser shows as they come.
 * A reader that is slow misses pictures; it gets the newest one when it is ready.
 *
 * @param ended - Ends the stream.
 */
export function streamPictures(watch: Watch, ended: Promise<unknown>): Response {
  let stop: (() => void) | undefined;
  let newest: Uint8Array | undefined;
  // Browsers show a picture when the next one comes: so each is given twice.
  let times = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const give = (): void => {
          if (newest === undefined || times === 0 || (controller.desiredSize ?? 0) <= 0) return;
          controller.enqueue(makePart(newest));
          times--;
        };
        const forget = watch((jpeg) => {
          newest = jpeg;
          times = 2;
          give();
        });
        const timer = setInterval(give, everyMs);
        stop = () => {
          clearInterval(timer);
          forget();
        };
        void ended.finally(() => {
          stop?.();
          try {
            controller.close();
          } catch {
            // The client has disconnected already.
          }
        });
      },
      cancel: () => stop?.(),
    },
    { highWaterMark: 2 },
  );
  const headers = { "content-type": `multipart/x-mixed-replace; boundary=${boundary}`, "cache-control": "no-store" };
  return new Response(body, { headers });
}

function makePart(jpeg: Uint8Array): Uint8Array {
  const head = `--${boundary}\r\ncontent-type: image/jpeg\r\ncontent-length: ${jpeg.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), jpeg, Buffer.from("\r\n")]);
}
