import {
  type AggregationPlan,
  type AggregationType,
  NO_BUCKETS,
  NO_NOTES,
} from '../aggregation-type.ts'

/** An aggregation over a field that the index lacks: it sees nothing. */
export interface Unmapped extends AggregationPlan {
  readonly kind: 'unmapped'
  /** The plan that it would be over another index; shards that have the field are merged by theirs. */
  readonly model: AggregationPlan
}

/** Collects nothing. Results of no values are those of its model. */
export const unmapped: AggregationType<Unmapped, null> = {
  readsScores: () => false,
  className: ({ model }) =>
    model.kind === 'range' || model.kind === 'geoDistance'
      ? 'RangeAggregator.Unmapped'
      : 'NonCollectingAggregator',
  prepare: () => null,
  open: () => ({ openLeaf() {}, collect() {}, finish: () => null, notes: () => NO_NOTES }),
  sliceReducer: () => ({
    add: () => NO_BUCKETS,
    value: () => Number.NaN,
    bucketOf: () => -1,
    close: () => ({ own: null, buckets: NO_BUCKETS }),
  }),
  shardReducer() {
    throw new Error('shards are merged by the model of what is unmapped')
  },
}
