/** Pipeline aggregations: functions of the results of others. */

/** What all of them have. */
export interface PipelinePlan {
  readonly kind: string
  readonly name: string
}
