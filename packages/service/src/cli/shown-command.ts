/**
 * How this program is called, wherever it is installed or not: `npx cloud-browser` outside of a project that has it would run
 * whatever package has that name.
 */
export const shownCommand = "npx -p @cloud-browser/service cloud-browser";
