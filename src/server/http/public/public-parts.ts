import type { IncomingHttpHeaders } from 'node:http';

export interface PublicRequest {
  /** By the names in the route's `url`, decoded and unchecked. */
  params: Readonly<Record<string, string>>;
  /** What follows the `?`; empty without one. */
  query: string;
  headers: IncomingHttpHeaders;
}

export interface PublicContent {
  /** Default 200. Visitors keep no other. */
  status?: number;
  type: string;
  body: Buffer | string;
  /** Further headers, names and values in turns. */
  headers?: readonly string[];
}

export interface PublicSource {
  /** Equal for all requests that get the same content. */
  key: string;
  make(): Promise<PublicContent>;
}

/** A path for everyone, without a token. Nothing of it is known to the contract. */
interface PublicRoute {
  /** In Fastify's syntax: `:name` stands for a parameter. */
  url: string;
  /** Pages of any origin may read it in a browser. */
  anyOrigin: boolean;
  /** Null: there is no such path. */
  find(request: PublicRequest): PublicSource | null;
}

export interface PublicParts {
  routes: readonly PublicRoute[];
}
