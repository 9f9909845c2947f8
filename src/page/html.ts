import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { stylesSource } from './assets.ts';
import type { PublicContent } from '../server/http/public/public-parts.ts';
import type { Language } from '../locales/language.ts';

/** Allows what this service serves, and the styles that are part of the page. */
const contentSecurityPolicy = (frameAncestors: string): string =>
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

interface HtmlOptions {
  language: Language;
  /** Search engines may list it. */
  indexed: boolean;
  /** Pages of others may show it in a frame. */
  framed?: boolean;
  /** Default 200. */
  status?: number;
}

/** A whole HTML page, `<html>` and all, as a route returns it. */
export function html(page: VNode, options: HtmlOptions): PublicContent {
  const { language, indexed, framed = false, status = 200 } = options;
  return {
    status,
    type: 'text/html; charset=utf-8',
    body: `<!doctype html>${renderToString(page)}`,
    headers: [
      'Content-Security-Policy',
      contentSecurityPolicy(framed ? '*' : "'none'"),
      ...(framed ? [] : ['X-Frame-Options', 'DENY']),
      'Referrer-Policy',
      'no-referrer',
      'Permissions-Policy',
      'camera=(), geolocation=(), microphone=()',
      ...(indexed ? [] : ['X-Robots-Tag', 'noindex']),
      'Content-Language',
      language.locale,
    ],
  };
}
