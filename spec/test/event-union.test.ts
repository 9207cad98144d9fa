import { describe, expect, test } from "vitest";
import openapi from "../generated/openapi.json" with { type: "json" };
import { getPart } from "./contract.ts";

const { oneOf, discriminator } = openapi.components.schemas.AutomationEvent;
const { UnknownEvent } = openapi.components.schemas;

describe("the union of events", () => {
  test("maps each listed type to the event that has it", () => {
    const byConstant = oneOf.flatMap(({ $ref }) => {
      const type = getPart(`${$ref.slice(1)}/properties/type/const`);
      return type === undefined ? [] : [[type, $ref]];
    });
    expect(Object.entries(discriminator.mapping)).toEqual(byConstant);
  });

  test("leaves every other type to the open event, which lets none of the listed through", () => {
    expect(discriminator.propertyName).toBe("type");
    expect(discriminator.defaultMapping).toBe("#/components/schemas/UnknownEvent");
    expect(oneOf.map(({ $ref }) => $ref)).toEqual([
      ...Object.values(discriminator.mapping),
      discriminator.defaultMapping,
    ]);
    expect(UnknownEvent.properties.type.not.enum).toEqual(Object.keys(discriminator.mapping));
  });
});
