/** Locales in which Discord takes translations (Discord: Reference, Locales). */
export const locales: ReadonlySet<string> = new Set(
  (
    'id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th ' +
    'zh-CN ja zh-TW ko'
  ).split(' '),
);
