import type { PlaceOpener } from '../place-opener.ts';
import { NitradoFiles } from './nitrado-files.ts';
import { RequestBudgets } from './request-budget.ts';

export interface NitradoPlace {
  type: 'nitrado';
  serviceId: string;
  token: string;
  /** Address of the API; absent: Nitrado's own. */
  baseUrl?: string | undefined;
}

export const nitradoOpener: PlaceOpener<NitradoPlace> = ({ clock }) => {
  const budgets = new RequestBudgets(clock);
  return (place) => new NitradoFiles({ ...place, budget: budgets.of(place.token), clock });
};
