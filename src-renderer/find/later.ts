import { fetchedOnce } from '../fetched-once'

/** Not needed before the first scan: screen and search are fetched together, apart, and at the start. */
export const findScreen = fetchedOnce(() => import('./screen'))
