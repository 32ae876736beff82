import type { Database } from '../embed/database.ts'

/** Segments from this many documents on are cut into ranges when a slice count is asked for. */
const LEAST_DOCS_TO_CUT = 4_096

/**
 * Has the next searches cut into so many slices, as far as there are documents for them; null goes
 * back to the settings of the node. Nothing is kept on disk.
 */
export async function setSliceCount(db: Database, count: number | null): Promise<void> {
  await db.changeSettings({
    'search.concurrent.max_slice_count': count,
    'search.concurrent.intra_segment_min_docs': count === null ? null : LEAST_DOCS_TO_CUT,
  })
}
