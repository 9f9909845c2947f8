import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import type { Terrain, TerrainShape } from '../../server/games/facts.ts';
import { type Box, colours, fillBox, fillPath, type Point, strokePath } from '../drawing/frame.ts';

export const groundColour = '#1d2027';
const seaColour = '#1a2a38';
const landColour = '#33383d';
const coast = { color: '#66809a', width: 1.5 } as const;
const river = { color: '#35607f', width: 4 } as const;
const road = { color: 'rgba(222, 210, 180, 0.38)', width: 1.8 } as const;
const grid = { color: colours.grid, width: 1 } as const;
/** Over an owner's picture, so that heat and names stand out. */
const shadow = 'rgba(18, 20, 26, 0.45)';

/** The pixels of a map. */
export interface Scale {
  /** Where the map is on the picture. */
  box: Box;
  /** Of a length. @param meters in the game */
  length(meters: number): number;
  /** Of a spot. */
  point(east: number, north: number): Point;
}

/** Draws an owner's picture of the map, else what is known of the terrain; above it lines a kilometre apart, as on the game's own map. */
export function drawGround(
  context: SKRSContext2D,
  scale: Scale,
  side: number,
  terrain: Terrain | null,
  image: Canvas | null,
): void {
  const { box, point } = scale;
  fillBox(context, box, 0, groundColour);
  if (terrain !== null && image !== null) {
    context.drawImage(image, box.left, box.top, box.width, box.height);
    fillBox(context, box, 0, shadow);
  } else if (terrain?.shape !== undefined) drawShape(context, scale, terrain.shape);
  for (let meters = 1000; meters < side; meters += 1000) {
    strokePath(context, [point(meters, 0), point(meters, side)], grid);
    strokePath(context, [point(0, meters), point(side, meters)], grid);
  }
}

function drawShape(context: SKRSContext2D, { box, point }: Scale, shape: TerrainShape): void {
  const pointsOf = (line: readonly number[]): Point[] =>
    Array.from({ length: line.length / 2 }, (_, index) => point(line[2 * index]!, line[2 * index + 1]!));
  const drawRing = (ring: readonly number[], color: string): void => {
    const points = pointsOf(ring);
    fillPath(context, points, color);
    strokePath(context, [...points, points[0]!], coast);
  };
  fillBox(context, box, 0, seaColour);
  for (const ring of shape.land) drawRing(ring, landColour);
  for (const line of shape.rivers) strokePath(context, pointsOf(line), river);
  for (const ring of shape.lakes) drawRing(ring, seaColour);
  for (const line of shape.roads) strokePath(context, pointsOf(line), road);
}
