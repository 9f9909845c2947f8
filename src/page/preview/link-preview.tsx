import { hash } from 'node:crypto';
import type { VNode } from 'preact';
import type { Schedule, Server } from '../../api/resources.ts';
import { picturePath, serverPath } from '../paths.ts';
import type { RouteContext } from '../route.ts';
import { absolute, type View, type ViewedProject } from '../view.ts';
import { shortTag } from '../visitor-language.ts';
import {
  projectEmbed,
  scriptJson,
  serverEmbed,
  type ComponentEmbed,
  type PreviewedServer,
} from './component-embed.ts';
import { gameServer } from './game-server.ts';
import {
  altText,
  dayMs,
  dayStepMs,
  pictureSize,
  projectPicture,
  serverPicture,
  type Picture,
} from './picture.ts';

type Context = Pick<RouteContext, 'project' | 'view' | 'history'>;

const pictureInput = ({ language, project, now }: View & { project: ViewedProject }) => ({
  site: project.title,
  accentColor: project.accentColor,
  language,
  now,
});

export async function pictureOfProject(
  context: Context,
  servers: readonly PreviewedServer[],
): Promise<Picture> {
  const [only, ...others] = servers;
  // There is room for all that is known of one.
  if (only !== undefined && others.length === 0) return await pictureOfServer(context, only);
  return projectPicture(
    pictureInput(context.view),
    servers.map(({ server }) => server),
  );
}

export async function pictureOfServer({ view, history }: Context, shown: PreviewedServer): Promise<Picture> {
  const day = await history(shown.server.id, view.now - dayMs, view.now, dayStepMs);
  return serverPicture(pictureInput(view), shown, day);
}

function previewed(
  { project, view }: Context,
  server: Server,
  schedules: readonly Schedule[],
): PreviewedServer {
  const canJoin = view.publicUrl !== null && project.canJoin(server.id);
  return {
    server,
    schedules,
    joinUrl: canJoin ? `${view.publicUrl}/join/${encodeURIComponent(server.id)}` : null,
  };
}

/** What describes a server's page to Discord, to others that show links, and to search engines; for `<head>`. */
export async function previewOfServer(
  context: Context,
  server: Server,
  schedules: readonly Schedule[],
): Promise<VNode | null> {
  const { view } = context;
  const page = absolute(view, serverPath(server.id));
  if (page === null) return null;
  const shown = previewed(context, server, schedules);
  const picture = await pictureOfServer(context, shown);
  const links = { page, discord: view.project.discordUrl };
  return (
    <Preview
      view={view}
      page={page}
      picture={picture}
      pictureUrl={pictureUrl(view, picture, server.id)}
      embed={serverEmbed(view.language, shown, links, view.now)}
      data={gameServer(server, page)}
    />
  );
}

/** What a link to a project's first page shows. */
export async function previewOfProject(
  context: Context,
  servers: readonly { server: Server; schedules: readonly Schedule[] }[],
): Promise<VNode | null> {
  const { view } = context;
  const page = absolute(view, '');
  if (page === null) return null;
  const shown = servers.map(({ server, schedules }) => previewed(context, server, schedules));
  const picture = await pictureOfProject(context, shown);
  const { title, discordUrl } = view.project;
  return (
    <Preview
      view={view}
      page={page}
      picture={picture}
      pictureUrl={pictureUrl(view, picture)}
      embed={projectEmbed(view.language, title, shown, { page, discord: discordUrl }, view.now)}
      data={servers.map(({ server }) => gameServer(server, absolute(view, serverPath(server.id)) ?? page))}
    />
  );
}

/** Differs with what stands on the picture, since Discord keeps the picture of an address for longer than a preview. */
function pictureUrl(view: View, picture: Picture, serverId?: string): string {
  const address = absolute({ ...view, chosen: shortTag(view.language.locale) }, picturePath(serverId));
  return `${address}&v=${hash('sha256', JSON.stringify(picture), 'base64url').slice(0, 12)}`;
}

interface PreviewProps {
  view: View & { project: ViewedProject };
  /** Absolute. */
  page: string;
  picture: Picture;
  pictureUrl: string;
  embed: ComponentEmbed | null;
  data: object;
}

function Preview({ view, page, picture, pictureUrl: image, embed, data }: PreviewProps): VNode {
  const alt = altText(view.language, picture);
  const about = alt.slice(picture.title.length).replace(/^ · /, '');
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={view.project.title} />
      <meta property="og:title" content={picture.title} />
      <meta property="og:description" content={about} />
      <meta property="og:url" content={page} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content={String(pictureSize.width)} />
      <meta property="og:image:height" content={String(pictureSize.height)} />
      <meta property="og:image:alt" content={alt} />
      <meta name="twitter:card" content="summary_large_image" />
      {embed !== null && <Data id="discord:component-embed" type="application/json" value={embed} />}
      <Data type="application/ld+json" value={data} />
    </>
  );
}

/** Data for other programs: no browser runs it. Its JSON has no `<`, which alone could end the element. */
function Data({ id, type, value }: { id?: string; type: string; value: object }): VNode {
  return <script id={id} type={type} dangerouslySetInnerHTML={{ __html: scriptJson(value) }} />;
}
