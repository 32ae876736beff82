/** The endpoints of indices. */
import type { Endpoint } from '../../endpoint.ts'
import { addBlock } from './add-block.ts'
import { getFieldMapping } from './field-mapping.ts'
import { createIndex, deleteIndex, getIndex } from './index-life.ts'
import { flush, forceMerge, refresh } from './maintenance.ts'
import { getMapping, putMapping } from './mapping.ts'
import { closeIndex, openIndex } from './open-close.ts'
import { cloneIndex, shrinkIndex, splitIndex } from './resize.ts'
import { resolveIndex } from './resolve-index.ts'
import { rollover } from './rollover.ts'
import { getSettings, putSettings } from './settings.ts'
import { stats } from './stats.ts'

/** Creation and deletion, mappings, settings, blocks, maintenance, statistics. */
export const INDEX_ENDPOINTS: readonly Endpoint[] = [
  createIndex,
  getIndex,
  deleteIndex,
  closeIndex,
  openIndex,
  getMapping,
  getFieldMapping,
  putMapping,
  getSettings,
  putSettings,
  addBlock,
  rollover,
  shrinkIndex,
  splitIndex,
  cloneIndex,
  resolveIndex,
  refresh,
  flush,
  forceMerge,
  stats,
]
