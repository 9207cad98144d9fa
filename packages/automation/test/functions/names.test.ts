import { expect, test } from "vitest";
import { writeFunctionSource } from "../../src/functions/function-source.ts";
import { completeValues } from "../../src/functions/variable-values.ts";
import { generalize } from "../../src/generalization/generalize.ts";
import { TaskVariables } from "../../src/planner/task-variables.ts";
import { isName, toName, toSnakeCase } from "../../src/task/names.ts";
import type { Step } from "../../src/task/step.ts";
import { undeclaredVariables } from "../../src/task/step-variables.ts";
import { fillIn } from "../../src/task/template.ts";
import { createRecord } from "./workplace.ts";

const fill = (value: string): Step => ({ action: "fill", target: { selectors: ["input"], label: "textbox" }, value });

/** Labels of fields, and the names of their variables. */
const labels: readonly (readonly [label: string, name: string])[] = [
  ["First name", "first_name"],
  ["お名前", "お名前"],
  ["Фамилия", "фамилия"],
  ["الاسم الأول", "الاسم_الأول"],
  ["שם משפחה", "שם_משפחה"],
  ["이름", "이름"],
  ["Όνομα χρήστη", "όνομα_χρήστη"],
  ["पूरा नाम", "पूरा_नाम"],
  ["ชื่อ", "ชื่อ"],
  ["Prénom", "prénom"],
  ["Größe (cm)", "größe_cm"],
  ["電話１", "電話1"],
  ["2. Straße", "value_2_straße"],
  ["№", "no"],
  ["🔎", "value"],
  ["__", "value"],
  ["", "value"],
  [`${"long ".repeat(30)}name`, "long_".repeat(12).slice(0, -1)],
];

test.each(labels)(
  "the variable of a field called %j is declared, under one name, and can be given: %s",
  (label, name) => {
    const variables = new TaskVariables();
    const steps = [fill(variables.add(toSnakeCase(label), "Ada")), fill(variables.add(toSnakeCase(label), "Byron"))];
    const record = createRecord([], generalize(steps, variables.all));
    expect(record.variables.map((one) => one.name).toSorted()).toEqual([name, `${name}_2`]);
    expect(undeclaredVariables(record.steps, record.variables)).toEqual([]);
    const values = completeValues(record, { [name.normalize("NFD")]: "Grace" });
    expect(record.steps.map((step) => (step.action === "fill" ? fillIn(step.value, values) : ""))).toEqual([
      "Grace",
      "Byron",
    ]);
    expect(writeFunctionSource(record)).toMatch(`${name}_2 = "Byron", ${name} = "Ada"`);
  },
);

test("a name that was made of a text is not made anew", () => {
  for (const [label] of labels) {
    const name = toName(label);
    expect([isName(name), toName(name), toName(`${name}_2`).length > 0]).toEqual([true, name, true]);
  }
});

test("values of the same name are told apart, secrets first", () => {
  const values = [
    { name: "password", value: "hunter-22", isSecret: true },
    { name: "password", value: "reset" },
  ];
  expect(generalize([fill("{{password}}"), fill("reset")], values).steps).toEqual([
    fill("{{password}}"),
    fill("{{password_2}}"),
  ]);
});

test("braces in a schema and in what a page shows are no variables", () => {
  const step: Step = {
    action: "extract",
    name: "data",
    what: { kind: "data", schema: { properties: { year: { description: "as in {{year}}" } } } },
  };
  expect(undeclaredVariables([step, fill("{{year}}")], [])).toEqual(["year"]);
  expect(undeclaredVariables([step], [])).toEqual([]);
});
