
/host:metadata
ä/device:GPU:1_Stream #13(Kernel)"€’ôóŒz")"8",ÀŸ«À„="*kind:Unknown size:64 dest:0cXLA Ops"€’ô€‰z"loop_fusion.kd"CopyDeviceToDevice*correlation_id*kernel_details*memcpy_details*
core_count*?;7 grid:10,1,1 block:64,1,1 private_mem:16 group_mem:21122 °
’	/host:CPU3½python3"€‰z Â" )"À„=À¨¥"("hipModuleLaunchKernel"$train.py:12 step*correlation_id
5Task Environment*profile_start_time2¤"alpha