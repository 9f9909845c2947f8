import { stylesSource } from './assets.ts';

export const htmlType = 'text/html; charset=utf-8';

/** Scripts, pictures and connections of this service alone, and the one style sheet that stands in the page. */
const policy = (frameAncestors: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${stylesSource}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ');

/** Headers of an HTML page. */
export function htmlHeaders({
  framed = false,
}: { /** Others may show it in a frame. */ framed?: boolean } = {}): string[] {
  return [
    'Content-Security-Policy',
    policy(framed ? '*' : "'none'"),
    ...(framed ? [] : ['X-Frame-Options', 'DENY']),
    'Referrer-Policy',
    'no-referrer',
    'Permissions-Policy',
    'camera=(), geolocation=(), microphone=()',
  ];
}
