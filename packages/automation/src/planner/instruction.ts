import type { ElementNoun } from "../task/element-nouns.ts";
import type { ThingsQuestion } from "../task/things-question.ts";

/**
 * One instruction of a task. Names are as in the task; they are resolved on the page.
 */
export type Instruction =
  | { readonly verb: "open"; readonly url: string }
  | { readonly verb: "back" }
  | { readonly verb: "click"; readonly name: string; readonly role?: string }
  | { readonly verb: "hover"; readonly name: string; readonly role?: string }
  | { readonly verb: "fill"; readonly field: string; readonly value: string }
  | { readonly verb: "search"; readonly value: string }
  | { readonly verb: "log-in"; readonly user: string; readonly password: string }
  | { readonly verb: "select"; readonly option: string; readonly field?: string }
  | { readonly verb: "check"; readonly name: string; readonly checked: boolean }
  | {
      readonly verb: "upload";
      /** Names of files of the session. */
      readonly files: readonly string[];
      /** The file input, or what opens the file chooser. Default: the only one of the page. */
      readonly field?: string;
    }
  | { readonly verb: "press"; readonly key: string }
  | { readonly verb: "submit" }
  | { readonly verb: "scroll"; readonly to: "top" | "bottom" | "down" | "up" }
  | { readonly verb: "wait"; readonly seconds: number }
  | { readonly verb: "wait-for"; readonly text: string }
  | {
      readonly verb: "extract";
      readonly kind: "text" | "table" | "list" | "links";
      readonly named?: string;
      readonly pages?: number;
    }
  | {
      readonly verb: "extract-elements";
      /** Kind of the elements, all of which are read. */
      readonly of: ElementNoun;
      readonly pages?: number;
    }
  | {
      readonly verb: "extract-things";
      /** The question about things of the page. */
      readonly question: ThingsQuestion;
      readonly pages?: number;
    }
  | {
      readonly verb: "extract-data";
      /** Names of the properties, as identifiers. */
      readonly properties: readonly string[];
      /** The names as they were said, where they differ from the identifiers. */
      readonly titles?: Readonly<Record<string, string>>;
      /** True for a list of objects. */
      readonly isList?: true;
    };
