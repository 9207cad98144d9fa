/** Texts in many writing systems, which reveal wrong encodings. None of their characters is special in Markdown; all are in form C. */
export const writingSystems = {
  accents: "Fjärilen åt blåbär à la crème brûlée, žluťoučký kůň",
  Greek: "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
  Cyrillic: "Съешь ещё этих мягких французских булок",
  "Arabic, from right to left": "نص حكيم له سر قاطع وذو شأن عظيم",
  "Hebrew, from right to left": "דג סקרן שט בים מאוכזב ולפתע מצא חברה",
  Devanagari: "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा",
  Thai: "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า",
  Japanese: "いろはにほへと散りぬるを港の灯台",
  Chinese: "视野无限广窗外有蓝天港口与灯塔",
  Korean: "키스의 고유조건은 입술끼리 만나야 한다",
  "characters beyond the first 65,536": "𐌷𐌰𐍂𐌱𐍉𐌿𐍂 𠜎𠜱𠝹 🦜🛳",
} as const;
