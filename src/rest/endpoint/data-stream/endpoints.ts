/** The endpoints of data streams. */
import type { Endpoint } from '../../endpoint.ts'
import { createDataStream, deleteDataStreams, getDataStreams } from './data-streams.ts'
import { modifyDataStreams } from './modify.ts'
import { dataStreamStats } from './stats.ts'

/** Created, shown, deleted, what they hold, which indices belong to them. */
export const DATA_STREAM_ENDPOINTS: readonly Endpoint[] = [
  createDataStream,
  getDataStreams,
  deleteDataStreams,
  dataStreamStats,
  modifyDataStreams,
]
