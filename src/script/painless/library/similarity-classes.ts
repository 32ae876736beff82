/** The variables `query`, `field`, `term` and `doc` of scripts that score frequencies. */
import { ScriptObject } from '../../value/script-value.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

const JAVA_NAME = 'org.opensearch.index.similarity.ScriptedSimilarity'

/** Facts of the query. */
export class SimilarityQuery extends ScriptObject {
  readonly className: string = `${JAVA_NAME}$Query`
  boost = 1

  override text(): string {
    return this.className
  }
}

/** Statistics of the field. */
export class SimilarityField extends ScriptObject {
  readonly className: string = `${JAVA_NAME}$Field`
  docCount = 0
  sumDocFreq = 0
  sumTotalTermFreq = 0

  override text(): string {
    return this.className
  }
}

/** Statistics of the term. */
export class SimilarityTerm extends ScriptObject {
  readonly className: string = `${JAVA_NAME}$Term`
  docFreq = 0
  totalTermFreq = 0

  override text(): string {
    return this.className
  }
}

/** The term's frequency in the document, and the document's length; one object serves all. */
export class SimilarityDoc extends ScriptObject {
  readonly className: string = `${JAVA_NAME}$Doc`
  freq = 0
  length = 1

  override text(): string {
    return this.className
  }
}

/** Classes of the contexts `similarity` and `similarity_weight`. */
export const SIMILARITY_CLASSES: readonly ClassType[] = [
  {
    ...classOf('SimilarityQuery', `${JAVA_NAME}$Query`, value => value instanceof SimilarityQuery),
    methods: members({
      'float getBoost()': (_run, query: SimilarityQuery) => query.boost,
    }),
  },
  {
    ...classOf('SimilarityField', `${JAVA_NAME}$Field`, value => value instanceof SimilarityField),
    methods: members({
      'long getDocCount()': (_run, field: SimilarityField) => field.docCount,
      'long getSumDocFreq()': (_run, field: SimilarityField) => field.sumDocFreq,
      'long getSumTotalTermFreq()': (_run, field: SimilarityField) => field.sumTotalTermFreq,
    }),
  },
  {
    ...classOf('SimilarityTerm', `${JAVA_NAME}$Term`, value => value instanceof SimilarityTerm),
    methods: members({
      'long getDocFreq()': (_run, term: SimilarityTerm) => term.docFreq,
      'long getTotalTermFreq()': (_run, term: SimilarityTerm) => term.totalTermFreq,
    }),
  },
  {
    ...classOf('SimilarityDoc', `${JAVA_NAME}$Doc`, value => value instanceof SimilarityDoc),
    methods: members({
      'float getFreq()': (_run, doc: SimilarityDoc) => doc.freq,
      'int getLength()': (_run, doc: SimilarityDoc) => doc.length,
    }),
  },
]
