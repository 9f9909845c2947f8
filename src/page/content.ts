import type { IncomingHttpHeaders } from 'node:http';

export interface PageRequest {
  /** GET or HEAD. */
  method: string;
  /** By the names in the route's path, decoded and unchecked. */
  params: Readonly<Record<string, string>>;
  /** What follows the `?`; empty without one. */
  query: string;
  headers: IncomingHttpHeaders;
}

/** What a visitor gets. The same object as long as it is the same content, so that it is compressed once. */
export interface Content {
  status: number;
  /** The Content-Type. */
  type: string;
  body: Buffer;
  /** Names and values in turns. */
  headers: readonly string[];
}

export interface Made {
  /** Default 200. */
  status?: number;
  type: string;
  body: Buffer | string;
  /** Further headers, names and values in turns. */
  headers?: readonly string[];
}

/** Headers of pictures, which pages of others may show. */
export const crossOrigin = ['Cross-Origin-Resource-Policy', 'cross-origin'] as const;
