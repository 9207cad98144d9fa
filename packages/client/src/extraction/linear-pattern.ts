import type { CheckBudget, Pausing } from "./budget.ts";

/** Returns whether a text has a match of a pattern. */
export type Matcher = (text: string, budget: CheckBudget) => Pausing<boolean>;

/** A state of a nondeterministic automaton. `next` and `other` are indexes of states. */
interface State {
  /** Condition on the next character; absent in a state that consumes none. */
  readonly fits: ((character: number) => boolean) | undefined;
  /** Condition on the place between two characters, -1 before the first and after the last. */
  readonly holds: ((before: number, after: number) => boolean) | undefined;
  next: number;
  /** Index of an alternative state, or -1. */
  other: number;
}

/** An escape, or a character. */
const token = /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|[pP]\{[^}]*\}|[^])|[^]/gu;
const maxRepeats = 1000;
const maxStates = 5000;

/**
 * Compiles a pattern of ECMA-262 with its flag `u`, to be matched in time that is linear in the text.
 *
 * The runtime itself says which characters an atom matches; the automaton, which never goes back, says where.
 *
 * @throws {Error} when it is no pattern, or has a lookaround, a backreference, a modifier or a repetition above 1000.
 */
export function compilePattern(source: string): Matcher {
  void new RegExp(source, "u");
  const tokens: readonly string[] = source.match(token) ?? [];
  const states: State[] = [];
  const atoms = new Map<string, (character: number) => boolean>();
  let at = 0;

  const add = (fits?: State["fits"], holds?: State["holds"]): State => {
    if (states.length >= maxStates) throw makeRepetitionError();
    const state = { fits, holds, next: states.length + 1, other: -1 };
    states.push(state);
    return state;
  };
  /** Each of these reads tokens, and adds states that begin at the next index and end before the one after the last. */
  const readChoice = (times: number): void => {
    const ends: State[] = [];
    for (;;) {
      const choice = add();
      while (at < tokens.length && !/^[|)]$/.test(tokens[at] ?? "")) readTerm(times);
      if (tokens[at] !== "|") break;
      at++;
      ends.push(add());
      choice.other = states.length;
    }
    for (const end of ends) end.next = states.length;
  };
  const readTerm = (times: number): void => {
    const start = at;
    skipAtom();
    const [, least, comma, most] = quantifierAt();
    const after = at;
    const [min, max] = [Number(least ?? 1), comma ? Number(most ?? Infinity) : Number(least ?? 1)];
    const repeats = times * Math.max(1, min, max === Infinity ? 0 : max);
    if (repeats > maxRepeats) throw makeRepetitionError();
    const again = (): void => {
      at = start;
      readAtom(repeats);
    };
    for (let nth = 1; nth < min; nth++) again();
    const begin = states.length;
    if (max === Infinity) {
      const skip = min === 0 ? add() : undefined;
      again();
      add().other = begin;
      if (skip) skip.other = states.length;
    } else {
      if (min > 0) again();
      const skips: State[] = [];
      for (let nth = min; nth < max; nth++) {
        skips.push(add());
        again();
      }
      for (const skip of skips) skip.other = states.length;
    }
    at = after;
  };
  /** Skips an atom without adding states. */
  const skipAtom = (): void => {
    let depth = 0;
    do {
      const each = tokens[at++];
      if (each === "[") at = tokens.indexOf("]", at) + 1;
      else if (each === "(") depth++;
      else if (each === ")") depth--;
    } while (depth > 0);
  };
  /** Reads a quantifier, if there is one; returns its bounds. */
  const quantifierAt = (): (string | undefined)[] => {
    const short = { "*": "{0,}", "+": "{1,}", "?": "{0,1}" }[tokens[at] ?? ""];
    const end = tokens[at] === "{" ? tokens.indexOf("}", at) : at;
    const [whole = "", ...bounds] = /^\{(\d+)(,)?(\d+)?\}/.exec(short ?? tokens.slice(at, end + 1).join("")) ?? [];
    if (!whole) return [];
    at = end + 1;
    if (tokens[at] === "?") at++;
    return [whole, ...bounds];
  };
  const readAtom = (times: number): void => {
    const each = tokens[at++] ?? "";
    if (each === "(") {
      if (tokens[at] === "?") {
        if (tokens[at + 1] === "<" && !/[=!]/.test(tokens[at + 2] ?? "")) at = tokens.indexOf(">", at) + 1;
        else if (tokens[at + 1] === ":") at += 2;
        else throw new Error("a lookaround or a modifier");
      }
      readChoice(times);
      at++;
    } else if (each === "^") add(undefined, (before) => before < 0);
    else if (each === "$") add(undefined, (_, after) => after < 0);
    else if (each === "\\b") add(undefined, (before, after) => isWord(before) !== isWord(after));
    else if (each === "\\B") add(undefined, (before, after) => isWord(before) === isWord(after));
    else if (/^\\[1-9k]/.test(each)) throw new Error("a backreference");
    else {
      let atom = each;
      if (each === "[") {
        const end = tokens.indexOf("]", at) + 1;
        atom += tokens.slice(at, end).join("");
        at = end;
      }
      const fits = atoms.get(atom) ?? characterTest(atom);
      atoms.set(atom, fits);
      add(fits);
    }
  };

  readChoice(1);
  return (text, budget) => match(states, text, budget);
}

/** Runs an automaton, whose end is the index after its last state, from each place of a text at once. */
function* match(states: readonly State[], text: string, budget: CheckBudget): Pausing<boolean> {
  /** Place at which a state was reached last. */
  const reached = new Int32Array(states.length + 1).fill(-1);
  let [here, next]: [number[], number[]] = [[], []];
  let before = -1;
  for (let at = 0; ;) {
    const after = text.codePointAt(at) ?? -1;
    here.push(0);
    let steps = 1;
    for (let index; (index = here.pop()) !== undefined; steps += 4) {
      if (reached[index] === at) continue;
      reached[index] = at;
      const state = states[index];
      if (!state) return true;
      if (state.fits) {
        if (after >= 0 && state.fits(after)) next.push(state.next);
      } else if (!state.holds || state.holds(before, after)) {
        here.push(state.next);
        if (state.other >= 0) here.push(state.other);
      }
    }
    if (budget.spend(steps)) yield;
    if (after < 0) return false;
    [here, next] = [next, here];
    before = after;
    at += after > 0xffff ? 2 : 1;
  }
}

function isWord(character: number): boolean {
  return character >= 0 && /\w/.test(String.fromCodePoint(character));
}

/** Asks the runtime which characters an atom matches, once for each of the first ones. */
function characterTest(atom: string): (character: number) => boolean {
  const pattern = new RegExp(`^${atom}$`, "u");
  const known: (boolean | undefined)[] = Array.from({ length: 0x300 });
  return (character) => known[character] ?? ask(character);
  function ask(character: number): boolean {
    const fits = pattern.test(String.fromCodePoint(character));
    if (character < known.length) known[character] = fits;
    return fits;
  }
}

function makeRepetitionError(): Error {
  return new Error("a repetition above 1000");
}
