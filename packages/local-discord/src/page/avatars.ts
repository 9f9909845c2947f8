/** Avatars drawn here, as data URIs: nothing is fetched from anywhere. */

const colors = ['#5865f2', '#3ba55d', '#faa61a', '#ed4245', '#eb459e', '#00a8fc', '#9b59b6'];

function colorOf(id: string): string {
  let sum = 0;
  for (const digit of id) sum = (sum * 31 + digit.charCodeAt(0)) >>> 0;
  return colors[sum % colors.length] ?? '#5865f2';
}

function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}

const toUri = (svg: string): string => `data:image/svg+xml,${encodeURIComponent(svg)}`;

/** A tower with its beacon, for the bot. */
export const botAvatar = toUri(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#3d4a2f"/><stop offset="1" stop-color="#20271a"/></linearGradient></defs><rect width="80" height="80" fill="url(#g)"/><path d="M30 66l5-30h10l5 30M33 50h14M28 36h24M32 36v-9h16v9M29 27h22l-11-8z" fill="none" stroke="#e6dfc8" stroke-width="3.4" stroke-linejoin="round" stroke-linecap="round"/><circle cx="40" cy="31.5" r="2.6" fill="#f0b232"/></svg>`,
);

/** Initials on a colour that belongs to the id. */
export function avatarOf(id: string, name: string): string {
  const letter = escapeXml([...name.trim()][0]?.toUpperCase() ?? '?');
  return toUri(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80"><rect width="80" height="80" fill="${colorOf(id)}"/><text x="40" y="53" font-family="sans-serif" font-size="38" font-weight="600" fill="#fff" text-anchor="middle">${letter}</text></svg>`,
  );
}

/** The letters on a server's button: first of each word. */
export function acronym(name: string): string {
  return name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .join('')
    .slice(0, 4);
}
