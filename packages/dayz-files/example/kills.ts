import { open } from 'node:fs/promises';
import { adminLog, LocalZone, readBlocks } from 'dayz-files';

/** Who killed whom in an .ADM file, when, and from how far. */
export async function listKills(path: string, timezone: string): Promise<string[]> {
  const kills: string[] = [];
  const reader = adminLog.open({ zone: new LocalZone(timezone) });
  const file = await open(path);
  for await (const block of readBlocks(file)) {
    reader.read(block, (event) => {
      if (event.kind !== 'killed' || event.killer === null) return;
      const { at, killer, victim, weapon, meters } = event;
      const how = `${weapon ?? 'something'}, ${Math.round(meters ?? 0)} m`;
      kills.push(`${new Date(at).toISOString()} ${killer.name} killed ${victim?.name} (${how})`);
    });
  }
  await file.close();
  return kills;
}
