import { boardPlayers } from '../board-players.ts';
import { previewOfProject } from '../preview/link-preview.tsx';
import { readBoards, readServers } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { Home } from '../views/home.tsx';
import { page } from '../views/layout.tsx';

/** The servers of a project, and the first places of its leaderboards. */
export const home: ProjectRoute = {
  path: '',
  async make(context) {
    const { project, view, secret } = context;
    const [servers, shown] = await Promise.all([
      readServers(project),
      view.players ? readBoards(project) : null,
    ]);
    const schedules = await project.schedules(servers.map(({ id }) => id));
    const cards = servers.map((server) => ({
      server,
      schedules: schedules.get(server.id) ?? [],
      canJoin: project.canJoin(server.id),
    }));
    const boards = shown ?? [];
    const players = boardPlayers(secret, project.slug, boards);
    return page({
      view,
      title: null,
      head: await previewOfProject(context, cards),
      children: <Home view={view} servers={cards} boards={boards} players={players} />,
    });
  },
};
