// Refuses a release whose packages don't say where their sources are: npm shows it, and provenance is proven with it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["spec", ...readdirSync(`${root}packages`).map((name) => `packages/${name}`)];
const lacking = folders.filter((folder) => {
  const file = `${root}${folder}/package.json`;
  if (!existsSync(file)) return false;
  const { repository } = JSON.parse(readFileSync(file, "utf8"));
  return !URL.canParse(repository?.url) || repository.directory !== folder;
});
if (lacking.length > 0) {
  console.error(`Not released: no \`repository\` in package.json of ${lacking.join(", ")}.`);
  console.error(
    'Give each { "type": "git", "url": "git+https://…", "directory": "<its folder>" }: the public address of this repository.',
  );
  process.exit(1);
}
