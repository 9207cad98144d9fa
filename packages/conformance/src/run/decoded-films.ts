import { decodeFrames, findFfmpeg } from "../site/decode-frames.ts";
import type { Film, Frames } from "../target/recorded-frames.ts";

/** The films of one run, decoded where there is an ffmpeg. */
export class DecodedFilms {
  readonly #films = new Map<Film, Frames>();

  /** Returns the frames of a film; when it was not decoded, a sentence that says why. */
  of(film: Film): Frames {
    return this.#films.get(film) ?? { reason: "The MP4 was not downloaded." };
  }

  /**
   * Decodes a film.
   *
   * @param ffmpeg - Path of the program; false: the pictures are not decoded. Default: the one that is found.
   */
  async readFrames(film: Film, mp4: Uint8Array, ffmpeg: string | false | undefined): Promise<void> {
    const program = ffmpeg === false ? undefined : await findFfmpeg(ffmpeg);
    const none =
      ffmpeg === false ? "Decoding of frames is turned off." : `No ffmpeg was found (${ffmpeg ?? "on the PATH"}).`;
    this.#films.set(film, program === undefined ? { reason: none } : await decodeFrames(mp4, program));
  }
}
