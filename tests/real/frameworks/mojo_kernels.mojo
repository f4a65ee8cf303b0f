# SPDX-License-Identifier: MIT
# Three kernels of Mojo: a sum of vectors, a sum of each block in shared memory, and a product of matrices. Each is
# compared with the same loop on the processor, whose numbers float32 holds exactly.
from max.gpu import barrier, block_dim, block_idx, thread_idx
from max.gpu.host import DeviceContext
from max.gpu.memory import AddressSpace
from std.memory import stack_allocation

comptime Floats = Pointer[Float32, MutAnyOrigin]
comptime size = 10_240
comptime block = 256
comptime side = 48


def add(a: Floats, b: Floats, sum: Floats):
    var i = block_idx.x * block_dim.x + thread_idx.x
    sum[unsafe_offset=i] = a[unsafe_offset=i] + b[unsafe_offset=i]


def sum_blocks(a: Floats, sums: Floats):
    var shared = stack_allocation[block, Float32, address_space=AddressSpace.SHARED]()
    var mine = thread_idx.x
    shared[unsafe_offset=mine] = a[unsafe_offset=block_idx.x * block_dim.x + mine]
    barrier()
    var step = block // 2
    while step > 0:
        if Int(mine) < step:
            shared[unsafe_offset=mine] += shared[unsafe_offset=Int(mine) + step]
        barrier()
        step //= 2
    if mine == 0:
        sums[unsafe_offset=block_idx.x] = shared[unsafe_offset=0]


def multiply(a: Floats, b: Floats, product: Floats):
    var row = Int(block_idx.x)
    var column = Int(thread_idx.x)
    var sum = Float32(0)
    for i in range(side):
        sum += a[unsafe_offset=row * side + i] * b[unsafe_offset=i * side + column]
    product[unsafe_offset=row * side + column] = sum


def main() raises:
    var context = DeviceContext()
    var a = context.enqueue_create_buffer[DType.float32](size)
    var b = context.enqueue_create_buffer[DType.float32](size)
    var sum = context.enqueue_create_buffer[DType.float32](size)
    var sums = context.enqueue_create_buffer[DType.float32](size // block)
    var product = context.enqueue_create_buffer[DType.float32](side * side)
    with a.map_to_host() as host_a, b.map_to_host() as host_b:
        for i in range(size):
            host_a[i] = Float32(i % 17)
            host_b[i] = Float32(i % 5) - 2
    context.enqueue_function[add](a, b, sum, grid_dim=size // block, block_dim=block)
    context.enqueue_function[sum_blocks](a, sums, grid_dim=size // block, block_dim=block)
    context.enqueue_function[multiply](a, b, product, grid_dim=side, block_dim=side)
    context.synchronize()
    var added = True
    with sum.map_to_host() as host:
        for i in range(size):
            added &= host[i] == Float32(i % 17) + Float32(i % 5) - 2
    var summed = True
    with sums.map_to_host() as host:
        for at in range(size // block):
            var expected = 0
            for i in range(at * block, (at + 1) * block):
                expected += i % 17
            summed &= host[at] == Float32(expected)
    var multiplied = True
    with product.map_to_host() as host:
        for at in range(side * side):
            var expected = 0
            for i in range(side):
                expected += ((at // side * side + i) % 17) * ((i * side + at % side) % 5 - 2)
            multiplied &= host[at] == Float32(expected)
    print("right:", Int(added) + Int(summed) + Int(multiplied), "of 3")
