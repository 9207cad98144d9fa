/** Features that differ from a local Chromium, and why. One that is the same fails the test, as one does that is not listed. */
export const differences: Readonly<Record<string, string>> = {
  "a new context": "A session is one browser context; another session is another one.",
  "permission for the camera": "It gives access to what sessions share with the machine.",
  "permissions, one of which is refused": "The others are granted, and the error says which one is not.",
  "a file address": "It leads to the machine.",
  "the address of the server": "All traffic goes through the egress proxy.",
  "information about the system": "It exposes the machine and the other sessions of this browser.",
};
