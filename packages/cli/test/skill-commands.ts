/** Returns the command lines of `cloud-browser` in a page for agents, in words as a shell makes them: in blocks of code, and in lines of text. */
export function commandsIn(markdown: string): readonly (readonly string[])[] {
  const blocks = [...markdown.matchAll(/```sh\n([^]*?)```/gu)].flatMap(([, code = ""]) => code.split("\n"));
  const inline = [...markdown.replaceAll(/```[^]*?```/gu, "").matchAll(/`(cloud-browser [^`]+)`/gu)].map(
    ([, code = ""]) => code,
  );
  return [...blocks, ...inline].flatMap((line) => {
    const [, call] = /(?:^|\$\()cloud-browser ([^]*)$/u.exec(line.replace(/ {2,}#.*$/u, "").trim()) ?? [];
    if (call === undefined) return [];
    const [plain = ""] = call.replace(/\)$/u, "").split(/ [|>] /u);
    const words = [...plain.matchAll(/((?:[^\s"']|"[^"]*"|'[^']*')+)/gu)].map(([word]) =>
      word.replaceAll(/["']/gu, "").replaceAll(/\$(\w+)/gu, "0b9c7a52-1c2d-4e3f-8a9b-0c1d2e3f4a5b"),
    );
    return [words];
  });
}
