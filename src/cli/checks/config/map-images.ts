import type { Config } from '../../../config/schema.ts';
import { factsOf } from '../../../server/games/table.ts';
import { about, type Finding } from '../finding.ts';

/** Whether heat maps can use the owner's pictures of maps, and know the maps that the config names. */
export async function checkMapImages({ projects }: Pick<Config, 'projects'>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { killPositions, servers } of projects) {
    for (const { id, game, map, mapImage, active } of servers) {
      if (!active) continue;
      if (map !== undefined && factsOf(game)?.maps?.terrainOf(map) == null) {
        findings.push(
          about(`${id}.map`, map).warning(
            'the size of this map is not known, so heat maps have a grid of what was seen, and no mapImage',
            'write the name as the mission has it, such as enoch for dayzOffline.enoch',
          ),
        );
      }
      if (mapImage === undefined) continue;
      const { good, warning, wrong } = about(`${id}.mapImage`, mapImage);
      if (!killPositions) {
        findings.push(
          warning(
            'is never shown: the project does not keep where players die',
            'set killPositions of the project to true, or take mapImage out',
          ),
        );
      }
      // Loaded on demand: it decodes pictures.
      const { loadMapImage } = await import('../../../bot/channels/draw-heat-maps.ts');
      const problem = await loadMapImage(mapImage).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      findings.push(
        problem === null
          ? good('a picture for heat maps')
          : wrong(
              `cannot be used: ${problem}`,
              'name a square PNG or JPEG of the whole map on this machine, north up, of at most 4096 pixels a side',
            ),
      );
    }
  }
  return findings;
}
