import type { FieldInfo, SectionKind } from '../../codec/directory/format.ts'
import type { FieldExistsQuery } from './query.ts'
import type { QueryType } from './query-type.ts'

/** Documents in which a field has a norm or a doc value. */
export const fieldExistsQuery: QueryType<FieldExistsQuery> = {
  className: query => (query.listed ? 'TermQuery' : 'FieldExistsQuery'),
  text: query =>
    query.listed ? `_field_names:${query.field}` : `FieldExistsQuery [field=${query.field}]`,
  clauseCount: () => 1,
  mapInner: null,
  createWeight({ field, listed }, builder, id, boost) {
    const { leaves, terms } = builder
    for (const leaf of leaves) {
      const info = leaf.fieldInfo(field)
      if (info === null) continue
      if (listed && !info.hasNorms) continue
      terms.use(field, presenceSection(info))
      builder.cost += info.docCount
    }
    const nameId = listed ? terms.termId('_field_names', field) : null
    if (nameId !== null) {
      terms.use('_field_names', 'postings')
      builder.openPostings++
      builder.cost += terms.docFreqOf(nameId)
    }
    return { kind: 'exists', id, field, score: boost, nameId }
  },
}

/** The section that lists the documents which have a field, by kind of doc values. */
const PRESENCE_SECTIONS: Readonly<Record<FieldInfo['docValues'], SectionKind>> = {
  none: 'norms',
  ordinals: 'ordinals',
  numeric: 'numericValues',
  bytes: 'bytes',
  shapes: 'triangles',
  vectors: 'denseVectors',
}

function presenceSection(info: FieldInfo): SectionKind {
  return PRESENCE_SECTIONS[info.docValues]
}
