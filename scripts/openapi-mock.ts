/** The contract for mocks: Prism plays a stream only where its `schema` is a string, with whole streams as examples. */
import { findEventSchema } from "./event-union.ts";
import { mapObjects, isObject, type Json, type JsonObject } from "./json.ts";

/** Makes each stream a string, too, and moves its examples to the place where mocks find them. */
export function makeMockable(contract: Json): Json {
  return mapObjects(contract, (media) => {
    if (findEventSchema(media) === undefined) return media;
    const { examples = {}, ...others } = media;
    const texts = Object.entries(examples ?? {}).map(([name, example]): [string, Json] => [name, getText(example)]);
    return { schema: { type: "string" }, ...others, examples: Object.fromEntries(texts) };
  });
}

function getText(example: Json): Json {
  if (!isObject(example)) return example;
  const { serializedValue, ...others } = example;
  const text: JsonObject = serializedValue === undefined ? {} : { value: serializedValue };
  return { ...others, ...text };
}
