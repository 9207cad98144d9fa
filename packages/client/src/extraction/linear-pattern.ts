/*! With code of @cloud-browser/client and of re2js 2.10.0 (MIT, Copyright (c) 2023 Oleksii Vasyliev): see THIRD-PARTY-LICENSES.txt */
import { RE2JS } from "re2js";
import { re2From } from "./re2-syntax.ts";
import { unusableFormat } from "./unusable-format.ts";

/** A compiled pattern. */
export interface Matcher {
  /** Returns whether a text matches the pattern. */
  readonly test: (text: string) => boolean;
}

/** Limit of the work of one check, in characters times the size of their pattern: some seconds with the slowest patterns. */
const maxWork = 1e8;

/**
 * Compiles patterns of a JSON Schema, which match in linear time, with the semantics of ECMA-262 and its flag `u`.
 *
 * @param sources - patterns that are valid with the flag `u`
 * @returns a function that starts a check, and returns the matcher of each pattern; they throw when its texts are too long.
 * @throws {Error} `unusableFormat` when a pattern can't be matched in linear time.
 */
export function linearPatterns(sources: Iterable<string>): () => (source: string) => Matcher {
  const compiled = new Map(Array.from(sources, (source) => [source, compile(source)]));
  return () => {
    let work = 0;
    return (source) => {
      const pattern = compiled.get(source) ?? compile(source);
      return {
        test(text) {
          work += text.length * pattern.programSize();
          if (work > maxWork) throw new Error("the texts are too long for its patterns: pass [jsonSchema, check]");
          return pattern.test(text);
        },
      };
    };
  };
}

function compile(source: string): RE2JS {
  try {
    return RE2JS.compile(re2From(source));
  } catch {
    throw unusableFormat(
      `the pattern ${JSON.stringify(source)} of response_format can't be matched in linear time, as it has a lookaround, ` +
        "a backreference, a modifier or a repetition above 1000: rewrite it, or pass [jsonSchema, check] with a check of your own",
    );
  }
}
