import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { compileValidator } from "../control/control-schemas.ts";

/** Keys that are held during an input. */
interface Held {
  /** 1 Alt, 2 Control, 4 Meta, 8 Shift; the sum of those held. */
  readonly modifiers?: number;
}

/** Acknowledges a picture. */
export interface LiveAck {
  readonly type: "ack";
  readonly picture: number;
}

/** Changes which pictures are sent. */
export interface LiveView {
  readonly type: "view";
  readonly max_width?: number;
  readonly max_fps?: number;
}

/** A move or a click of the mouse, in CSS pixels of the viewport. */
export interface LiveMouse extends Held {
  readonly type: "mouse";
  readonly action: "move" | "down" | "up";
  readonly x: number;
  readonly y: number;
  readonly button?: "none" | "left" | "middle" | "right" | "back" | "forward";
  readonly buttons?: number;
  readonly click_count?: number;
}

/** A turn of the wheel. */
export interface LiveWheel extends Held {
  readonly type: "wheel";
  readonly x: number;
  readonly y: number;
  readonly delta_x: number;
  readonly delta_y: number;
}

/** A key, named as in `KeyboardEvent`. */
export interface LiveKey extends Held {
  readonly type: "key";
  readonly action: "down" | "up";
  readonly key: string;
  readonly code?: string;
  readonly repeat?: boolean;
}

/** A text that is inserted at the caret. */
export interface LiveText {
  readonly type: "text";
  readonly text: string;
}

/** Fingers on the screen; at the end none. */
export interface LiveTouch extends Held {
  readonly type: "touch";
  readonly action: "start" | "move" | "end" | "cancel";
  readonly points: readonly { readonly x: number; readonly y: number; readonly id?: number }[];
}

/** Chooses or closes a tab. */
export interface LiveTab {
  readonly type: "tab";
  readonly action: "choose" | "close";
  readonly tab: string;
}

/** Opens an address in the current tab. */
export interface LiveAddress {
  readonly type: "address";
  readonly url: string;
}

/** Goes back or forward, or loads the page again. */
export interface LiveHistory {
  readonly type: "history";
  readonly action: "back" | "forward" | "reload";
}

/** Answers the dialog that is open. */
export interface LiveAnswer {
  readonly type: "dialog";
  readonly action: "accept" | "dismiss";
  readonly text?: string;
}

/** Takes the control of the session, resumes it after a lost connection, or gives it back. */
export interface LiveControl {
  readonly type: "control";
  readonly action: "take" | "resume" | "release";
  readonly evaluation?: boolean;
  readonly force?: boolean;
  readonly lease?: string;
}

/** Answers the request for a person that is open. */
export interface LiveHandover {
  readonly type: "handover";
  readonly handover_id: string;
  readonly answer: "done" | "declined";
  readonly note?: string;
}

/** Input of a device. */
export type DeviceInput = LiveMouse | LiveWheel | LiveKey | LiveText | LiveTouch;

/** Message that acts on a session. */
export type LiveAction = DeviceInput | LiveTab | LiveAddress | LiveHistory | LiveAnswer;

/** A message of a viewer. */
export type LiveInput = LiveAck | LiveView | LiveControl | LiveHandover | LiveAction;

/** Reason why a message was not followed. */
export interface LiveFault {
  /** A closed list, as `LiveError` of the control document has it. */
  readonly code: "malformed" | "forbidden" | "not-holder" | "too-fast" | "refused" | "failed";
  readonly message: string;
}

const validators: Readonly<Record<LiveInput["type"], ValidateFunction<LiveInput>>> = {
  ack: compileValidator("LiveAck"),
  view: compileValidator("LiveView"),
  control: compileValidator("LiveControl"),
  handover: compileValidator("LiveHandover"),
  mouse: compileValidator("LiveMouse"),
  wheel: compileValidator("LiveWheel"),
  key: compileValidator("LiveKey"),
  text: compileValidator("LiveText"),
  touch: compileValidator("LiveTouch"),
  tab: compileValidator("LiveTab"),
  address: compileValidator("LiveAddress"),
  history: compileValidator("LiveHistory"),
  dialog: compileValidator("LiveAnswer"),
};

/** Reads a message of a viewer, or says what is wrong with it; never with the values in it. */
export function readLiveInput(text: string): { readonly input: LiveInput } | { readonly fault: LiveFault } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return makeMalformed("the message is not JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return makeMalformed("not a JSON object");
  const type: unknown = "type" in value ? value.type : undefined;
  if (!isType(type)) return makeMalformed(`type has to be one of ${Object.keys(validators).join(", ")}`);
  const validate = validators[type];
  if (validate(value)) return { input: value };
  return makeMalformed(`${type}: ${describe(validate.errors?.[0])}`);
}

function isType(type: unknown): type is LiveInput["type"] {
  return typeof type === "string" && Object.hasOwn(validators, type);
}

function describe(error: ErrorObject | undefined): string {
  const where = error?.instancePath.slice(1).replaceAll("/", ".") ?? "";
  return `${where} ${error?.message ?? "is not valid"}`.trim();
}

function makeMalformed(message: string): { readonly fault: LiveFault } {
  return { fault: { code: "malformed", message } };
}
