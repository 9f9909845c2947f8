import { hash } from 'node:crypto';
import type { VNode } from 'preact';
import { picturePath, serverPath } from '../paths.ts';
import { readShownServers, type ShownServer } from '../project.ts';
import { crossOrigin, type ProjectRoute, type RouteContext } from '../route.ts';
import { absolute, type ProjectView } from '../view.ts';
import { shortTag } from '../visitor.ts';
import { projectEmbed, scriptJson, serverEmbed } from './component-embed.ts';
import {
  altText,
  dayMs,
  dayStepMs,
  pictureSize,
  projectPicture,
  serverPicture,
  type Picture,
} from './picture.ts';

type Context = Pick<RouteContext, 'view' | 'history'>;

/** The pictures that links to a server or to a project show. */
export const pictureRoutes: readonly ProjectRoute[] = [picturePath(), '/picture/:server/preview.png'].map(
  (path) => ({
    path,
    async make(context) {
      const { project, params, drawOnce } = context;
      const servers = await readShownServers(project, params['server']);
      if (params['server'] !== undefined && servers.length === 0) return null;
      const picture = await pictureOf(context, servers);
      const body = await drawOnce(picture, async (code) => code.drawPicture(picture));
      return body === null ? null : { type: 'image/png', body, headers: crossOrigin };
    },
  }),
);

async function pictureOf({ view, history }: Context, servers: readonly ShownServer[]): Promise<Picture> {
  const { now } = view;
  const [only, ...others] = servers;
  // A project with one server has the picture of that server.
  if (only !== undefined && others.length === 0) {
    return serverPicture(view, only, await history(only.server.id, now - dayMs, now, dayStepMs));
  }
  const states = servers.map(({ server }) => server);
  return projectPicture(view, states);
}

/**
 * What describes a page to Discord and to others that show links, for `<head>`; null: links have no address.
 * @param serverId of the server whose page it is; left out: it is the project's first page
 */
export async function previewOf(
  context: Context,
  servers: readonly ShownServer[],
  serverId?: string,
): Promise<VNode | null> {
  const { view } = context;
  if (view.publicUrl === null) return null;
  const path = serverId === undefined ? '' : serverPath(serverId);
  const picture = await pictureOf(context, servers);
  const alt = altText(view.language, picture);
  const [first] = servers;
  const isServer = serverId !== undefined && first !== undefined;
  const embed = isServer ? serverEmbed(view, first) : projectEmbed(view, servers);
  const image = { path: picturePath(serverId), content: picture };
  return (
    <>
      {previewTags(view, { path, title: picture.title, alt, image })}
      <meta property="og:image:width" content={String(pictureSize.width)} />
      <meta property="og:image:height" content={String(pictureSize.height)} />
      {embed !== null && (
        <script
          id="discord:component-embed"
          type="application/json"
          dangerouslySetInnerHTML={{ __html: scriptJson(embed) }}
        />
      )}
    </>
  );
}

interface LinkPreview {
  path: string;
  title: string;
  /** What the picture shows, in words, beginning with the title. */
  alt: string;
  /** The picture's path, and all that decides what it looks like. */
  image: { path: string; content: unknown };
}

/** The Open Graph elements of a page; null: links have no address. */
export function previewTags(view: ProjectView, { path, title, alt, image }: LinkPreview): VNode | null {
  const page = absolute(view, path);
  if (page === null) return null;
  // The picture has words, so its address names the language. Discord keeps what an address shows: another picture, another `v`.
  const picture = absolute({ ...view, chosen: shortTag(view.language.locale) }, image.path);
  const version = hash('sha256', JSON.stringify(image.content), 'base64url').slice(0, 12);
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={view.project.title} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={alt.slice(title.length).replace(/^[ ·.]+/, '')} />
      <meta property="og:url" content={page} />
      <meta property="og:image" content={`${picture}&v=${version}`} />
      <meta property="og:image:alt" content={alt} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
