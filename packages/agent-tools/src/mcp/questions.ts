import {
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { PersonReply, PersonQuestion } from "../tools/tool.ts";
import { toReadableText } from "../untrusted/readable-text.ts";

/** Name of the only question of a round. */
const personRequestKey = "person";

/** Thrown by a call that has to ask a person: it is repeated with the answer. */
export class QuestionAsked extends Error {
  override readonly name = "QuestionAsked";
  readonly question: PersonQuestion;

  constructor(question: PersonQuestion) {
    super("a person has to be asked first");
    this.question = question;
  }
}

/** Returns the answer to the question of the previous round; undefined in the first round. */
export function readAnswer({ mcpReq }: ServerContext): PersonReply | undefined {
  const state = mcpReq.requestState<Readonly<Record<string, string>>>();
  const response = inputResponse(mcpReq.inputResponses, personRequestKey);
  if (state === undefined || typeof state !== "object" || response.kind !== "elicit") return undefined;
  const { action, content } = response;
  // A form that was sent without a yes is a no.
  const isConfirmed = state["kind"] !== "confirm" || content?.["confirm"] === true;
  return { action: action === "accept" && !isConfirmed ? "decline" : action, state };
}

/** Returns the result that asks a question. */
export async function askQuestion(
  { kind, message, url = "", state }: PersonQuestion,
  mint: (state: Readonly<Record<string, string>>) => Promise<string>,
): Promise<InputRequiredResult> {
  const text = toReadableText(message);
  const request =
    kind === "visit"
      ? inputRequired.elicitUrl({ message: text, url })
      : inputRequired.elicit({
          message: text,
          requestedSchema: {
            type: "object",
            properties: {
              confirm: { type: "boolean", title: "Start it", description: "It is billed.", default: false },
            },
            required: ["confirm"],
          },
        });
  return inputRequired({
    inputRequests: { [personRequestKey]: request },
    requestState: await mint({ ...state, kind }),
  });
}

/** Returns whether a client can show a person a form, or an address. */
export function canElicit(capabilities: unknown, kind: PersonQuestion["kind"]): boolean {
  const { elicitation }: { elicitation?: unknown } = Object(capabilities);
  if (Object(elicitation) !== elicitation) return false;
  const { form, url }: { form?: unknown; url?: unknown } = Object(elicitation);
  // A client that names no mode has forms.
  return kind === "visit" ? url !== undefined : form !== undefined || url === undefined;
}
