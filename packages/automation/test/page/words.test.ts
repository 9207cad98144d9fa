import { describe, expect, test } from "vitest";
import { isLoading, saysFailure } from "../../src/page/words.ts";

test.each([
  "Not reserved: seat 12 is taken",
  "Your changes could not be saved",
  "There are problems with your entries",
  "Please choose a city from the list",
  "Sign-in failed. Your account is locked.",
  "Saved 2 of 3, 1 failed",
  "Your card was declined.",
  "Das Formular konnte nicht gesendet werden",
  "Une erreur est survenue",
  "No se pudo guardar",
  "Произошла ошибка",
  "送信できませんでした",
])("%s: did not work", (text) => expect(saysFailure(text)).toBe(true));

test.each([
  "Saved",
  "Saved without errors",
  "0 errors, 3 warnings",
  "No problems found",
  "Your order is placed. You cannot change it any more.",
  "Thank you. If this was not you, call us.",
  "Message sent; please check your mail",
  "Step 2 of 5",
  "3 results available",
  "Gespeichert",
])("%s: says nothing of a failure", (text) => expect(saysFailure(text)).toBe(false));

describe("what stands where content will be", () => {
  test.each(["Loading…", "Loading comments...", "Please wait…", "Wird geladen …", "読み込み中…", "Saving…"])(
    "%s",
    (text) => expect(isLoading(text)).toBe(true),
  );
  test.each(["Loading dock", "Loading dock 3", "Saving", "A long wait", "Download…"])("%s is content", (text) =>
    expect(isLoading(text)).toBe(false),
  );
});
