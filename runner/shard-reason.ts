/** Why a shard did not test what stands in the suite files of other shards: merging tells their checks apart by it. */
export const inAnotherShard = 'in another shard'
