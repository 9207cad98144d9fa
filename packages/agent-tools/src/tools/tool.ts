import type { ToolEnvironment } from "./tool-environment.ts";

/** A JSON value. */
export type FactValue =
  | string
  | number
  | boolean
  | null
  | readonly FactValue[]
  | { readonly [name: string]: FactValue };

/** A JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: "object";
  /** Schemas of its properties. */
  readonly properties: Readonly<Record<string, PropertySchema>>;
  /** Names of required properties. Default: none. */
  readonly required?: readonly string[];
  /** False: no others are allowed. */
  readonly additionalProperties?: boolean;
}

/** A JSON Schema of a property: as far as tools need it. */
export interface PropertySchema {
  readonly type: "string" | "integer" | "number" | "boolean" | "object" | "array";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: PropertySchema;
  readonly properties?: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | PropertySchema;
}

/** Hints about a tool, in the words of MCP. */
export interface ToolHints {
  /** True when it changes nothing. */
  readonly readOnlyHint: boolean;
  /** True when it may end or delete something. */
  readonly destructiveHint: boolean;
  /** Repeating it with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  /** True when it reaches arbitrary sites. */
  readonly openWorldHint: boolean;
}

/** Result of a tool. */
export interface ToolOutcome {
  /** Facts in this package's own words: identifiers, numbers, states, the next call. Nothing that a page says. */
  readonly facts: Readonly<Record<string, FactValue>>;
  /** Text of pages, which is marked as untrusted in the result. Default: none. */
  readonly pageText?: string;
  /** Resources that have more: names by address. Default: none. */
  readonly resources?: Readonly<Record<string, string>>;
}

/** A question to the person behind an agent. */
export interface PersonQuestion {
  /** `confirm`: yes or no. `visit`: to open an address, which the agent does not see. */
  readonly kind: "confirm" | "visit";
  /** Text for the person. */
  readonly message: string;
  /** Address to open, with `visit`. It may be a secret. */
  readonly url?: string;
  /** State that the tool gets back unchanged with the answer. */
  readonly state: Readonly<Record<string, string>>;
}

/** Answer of a person, and the state of the question. */
export interface PersonReply {
  /** `accept`: yes; `decline`: no; `cancel`: neither. With `visit`, whether the address was opened, not what was done there. */
  readonly action: "accept" | "decline" | "cancel";
  readonly state: Readonly<Record<string, string>>;
}

/** Call of a tool, as its door makes it. */
export interface ToolInvocation {
  /** Aborts when the caller has given up. */
  readonly signal: AbortSignal;
  /** Reports progress, in this package's own words. */
  readonly progress: (message: string) => void;
  /** Returns whether questions of a kind reach a person. */
  readonly canAsk: (kind: PersonQuestion["kind"]) => boolean;
  /** Answer to the previous question of this call; undefined before the first one. */
  readonly answer: PersonReply | undefined;
  /** Asks a person. Resolves with the answer, or ends the call, which is made again with the answer. */
  readonly ask: (question: PersonQuestion) => Promise<PersonReply>;
}

/** Tool: its description for agents, and its implementation. */
export interface Tool {
  readonly name: string;
  /** A few words for people. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Schema of the facts. */
  readonly outputSchema: ObjectSchema;
  readonly hints: ToolHints;
  /** True when it works only with a service that has `/control`. */
  readonly needsControl: boolean;
  /** True when a call starts a billed run. Default: false. */
  readonly isBilled?: boolean;
  /** Performs a call. Arguments match the schema. */
  readonly run: (environment: ToolEnvironment, args: ToolArguments, call: ToolInvocation) => Promise<ToolOutcome>;
}

/** Arguments of a call that match the schema of its tool. */
export interface ToolArguments {
  /** Returns a text; undefined when it was not given. */
  readonly text: (name: string) => string | undefined;
  /** Returns a text that the schema requires. */
  readonly requiredText: (name: string) => string;
  /** Returns a number; undefined when it was not given. */
  readonly number: (name: string) => number | undefined;
  /** Returns whether it is true. */
  readonly flag: (name: string) => boolean;
  /** Returns an object; undefined when it was not given. */
  readonly object: (name: string) => Readonly<Record<string, unknown>> | undefined;
}

/** A call that can't be done as it was made: the message says what to do instead. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** Text of pages that explains it, if any. */
  readonly pageText: string | undefined;

  constructor(message: string, pageText?: string) {
    super(message);
    this.pageText = pageText;
  }
}
