import type { Step } from "../task/step.ts";

/** Actions of a run, to judge whether they can have done its task. */
export interface Doings {
  /** Actions of the steps that succeeded. */
  readonly actions: ReadonlySet<Step["action"]>;
  /** True when a page was read. */
  readonly hasRead: boolean;
  /** True when a person completed a request of the run. */
  readonly hasHelped?: boolean;
}

/** Steps that can change something. */
const acting: ReadonlySet<Step["action"]> = new Set(["click", "fill", "select", "check", "press"]);

/** Verbs, at the beginning of a task or a clause, that ask for more than reading a page. */
const orders =
  /(?:^|[.,;:!?\n]\s*|\b(?:and|then|please|also|to|und|dann|bitte|et|puis|y|luego)\s+)(?:transfer|pay|buy|purchase|order|book|reserve|send|submit|delete|remove|cancel|create|register|sign up|sign in|log in|log out|subscribe|unsubscribe|update|change|edit|rename|save|upload|fill|type|enter|click|press|tick|untick|uncheck|post|publish|add|confirm|approve|accept|reject|apply|reply|schedule|overweise|überweise|bezahle|kaufe|bestelle|buche|reserviere|sende|schicke|lösche|entferne|storniere|erstelle|melde|ändere|trage|achète|réserve|envoie|supprime|annule|crée|compra|reserva|envía|borra|elimina|cancela|crea)(?!\p{L})/iu;

/** Tasks that need no page: a greeting, a sum, a translation, a question about words. */
const pageless =
  /^\s*(?:hi|hello|hey|thanks?|thank you|good (?:morning|evening)|(?:what is|what's|calculate|compute|how much is)\s+[\d(][\d\s+*/x×÷^().,%-]*\??|translate\b.*|(?:say|write|tell me|answer|reply)\s+(?:hello|hi|a (?:joke|poem|story|haiku)|["“'].*)|(?:explain|define)\s.*|who are you|what can you do)[\s.!?]*$/isu;

/** A sum, with a few words before it in any language. */
const sum = /^\P{N}{0,30}\d[\d\s.,()]*[+*/x×÷^%−-][\d\s+*/x×÷^().,%=−-]*\P{N}{0,10}$/u;

/** Words that refer to a page. */
const ofPage = /\b(?:page|site|website|web|url|link|open|browse|https?:)/iu;

/**
 * Returns why the actions of a run can't have done its task: no step was performed although the task needs a page, or pages were only read
 * although it asks for a change. Undefined if they can.
 */
export function findMissingStep(task: string, { actions, hasRead, hasHelped = false }: Doings): string | undefined {
  const hasActed = [...actions].some((action) => acting.has(action));
  if (hasActed || hasHelped) return undefined;
  if (orders.test(task)) return "The task asks to do something, and no step was made that could have done it.";
  if (actions.size > 0 || hasRead) return undefined;
  const asksNothing = (pageless.test(task) || sum.test(task)) && !ofPage.test(task);
  return asksNothing ? undefined : "No step was made, and no page was read.";
}
