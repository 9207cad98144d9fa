import type { LivePicture } from "./live-socket.ts";

/** Draws a picture onto a canvas, which gets its size. */
export async function drawPicture(canvas: HTMLCanvasElement, { jpeg }: LivePicture): Promise<void> {
  const bitmap = await createImageBitmap(jpeg);
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  bitmap.close();
}
