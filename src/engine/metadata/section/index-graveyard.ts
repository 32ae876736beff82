import { CorruptSegmentError } from '../../../util/errors.ts'
import type { MetadataSection } from './metadata-section.ts'
import { numberAt, textAt, valueAt } from './stored-values.ts'

/** An index that was deleted. */
export interface Tombstone {
  readonly name: string
  readonly uuid: string
  readonly deletedAtInMillis: number
}

/** How many are kept: as many as the real server keeps. */
export const MAX_TOMBSTONES = 500

/** The indices that were deleted last, oldest first: `{"tombstones": [{"name": …, "uuid": …, "deleted": …}]}`. */
export const INDEX_GRAVEYARD: MetadataSection<readonly Tombstone[]> = {
  name: 'index_graveyard',
  version: 1,
  isRequired: false,
  empty: () => [],
  upgrade: content => content,
  parse(content) {
    const tombstones = valueAt(content, 'tombstones')
    if (tombstones.kind !== 'array')
      throw new CorruptSegmentError('state', 32, 'a list of tombstones', tombstones.kind)
    return tombstones.items.map(item => ({
      name: textAt(item, 'name'),
      uuid: textAt(item, 'uuid'),
      deletedAtInMillis: numberAt(item, 'deleted') ?? 0,
    }))
  },
  print: tombstones => ({
    tombstones: tombstones.map(({ name, uuid, deletedAtInMillis }) => ({
      name,
      uuid,
      deleted: deletedAtInMillis,
    })),
  }),
}
