import GatewayModel
import Glibc
import RealTime
import Synchronization
import Testing

@Suite struct `A mailbox` {
    @Test func `hands over what was put, oldest first, once`() throws {
        let mailbox = try Mailbox<Int>()
        for number in 1...3 { mailbox.put(number) }
        #expect(mailbox.take().values == [1, 2, 3])
        #expect(mailbox.take().values == [])
    }

    @Test func `drops the oldest beyond its bound and counts them`() throws {
        let mailbox = try Mailbox<Int>(bound: 2)
        for number in 1...5 { mailbox.put(number) }
        let (values, dropped) = mailbox.take()
        #expect(values == [4, 5])
        #expect(dropped == 3)
        #expect(mailbox.take().dropped == 0)
    }

    @Test func `wakes whoever polls its descriptor`() async throws {
        let mailbox = try Mailbox<Int>()
        let woken = Mutex(false)
        let thread = try NamedThread("test") {
            let result = Poll.wait([Poll.Interest(mailbox.wakeup.descriptor)], timeout: .seconds(30))
            woken.withLock { $0 = result.readable[0] }
        }
        mailbox.put(1)
        await thread.finished()
        #expect(woken.withLock { $0 })
    }
}

@Suite struct `A wakeup` {
    private func isReadable(_ wakeup: Wakeup) -> Bool {
        Poll.wait([Poll.Interest(wakeup.descriptor)], timeout: .zero).readable[0]
    }

    @Test func `is readable from the first signal until it is drained, however many there were`() throws {
        let wakeup = try Wakeup()
        #expect(!isReadable(wakeup))
        for _ in 0..<3 { wakeup.signal() }
        #expect(isReadable(wakeup))
        wakeup.drain()
        #expect(!isReadable(wakeup))
        wakeup.signal()
        #expect(isReadable(wakeup))
    }

    /// A signal that is left out because another waits must not be the one that nobody sees.
    @Test func `loses none of many threads`() async throws {
        let (threads, values) = (4, 5_000)
        let mailbox = try Mailbox<Int>()
        let received = Mutex(0)
        let reader = try NamedThread("reader") {
            var count = 0
            while count < threads * values {
                let seen = Poll.wait([Poll.Interest(mailbox.wakeup.descriptor)], timeout: .seconds(30))
                guard seen.readable[0] else { break }
                count += mailbox.take().values.count
            }
            received.withLock { $0 = count }
        }
        let writers = try (0..<threads).map { _ in
            try NamedThread("writer") { for value in 0..<values { mailbox.put(value) } }
        }
        for writer in writers { await writer.finished() }
        await reader.finished()
        #expect(received.withLock { $0 } == threads * values)
    }
}

@Suite struct `The look at what is ready` {
    @Test func `tells those that are ready and no others`() throws {
        let readiness = try Readiness()
        let wakeups = try (0..<3).map { _ in try Wakeup() }
        for wakeup in wakeups { try readiness.watch(wakeup.descriptor) }
        #expect(readiness.wait(timeout: .zero).isEmpty)
        wakeups[0].signal()
        wakeups[2].signal()
        #expect(Set(readiness.wait(timeout: nil)) == [wakeups[0].descriptor, wakeups[2].descriptor])
        wakeups[0].drain()
        #expect(readiness.wait(timeout: nil) == [wakeups[2].descriptor])
    }

    @Test func `forgets, and takes a later word for what it watches for`() throws {
        let readiness = try Readiness()
        let wakeup = try Wakeup()
        try readiness.watch(wakeup.descriptor, events: Int32(POLLOUT))
        #expect(readiness.wait(timeout: nil) == [wakeup.descriptor])
        try readiness.watch(wakeup.descriptor)
        #expect(readiness.wait(timeout: .zero).isEmpty)
        wakeup.signal()
        readiness.forget(wakeup.descriptor)
        #expect(readiness.wait(timeout: .zero).isEmpty)
    }

    @Test func `says why it cannot watch`() throws {
        let readiness = try Readiness()
        let error = #expect(throws: SystemCallError.self) { try readiness.watch(-1) }
        #expect(error?.number == EBADF)
    }
}

@Suite struct `The reserve of random numbers` {
    @Test func `gives no number twice, beyond what it fetches at once`() {
        var reserve = RandomReserve()
        let numbers = (0..<1_000).map { _ in reserve.next() }
        #expect(Set(numbers).count == numbers.count)
    }

    @Test func `is not the same in two copies of the program`() {
        var (first, second) = (RandomReserve(), RandomReserve())
        #expect(first.next() != second.next())
    }
}

@Suite struct `A deadline timer` {
    @Test func `fires at its instant and not before`() throws {
        let timer = try DeadlineTimer()
        let deadline = Clock.boot().advanced(by: .milliseconds(50))
        timer.set(deadline)
        #expect(Poll.wait([Poll.Interest(timer.descriptor)], timeout: .seconds(30)).readable[0])
        #expect(Clock.boot() >= deadline)
    }

    @Test func `fires at once for an instant that has passed, and not at all when disarmed`() throws {
        let timer = try DeadlineTimer()
        timer.set(BootInstant(nanoseconds: -5))
        #expect(Poll.wait([Poll.Interest(timer.descriptor)], timeout: .seconds(30)).readable[0])
        timer.set(nil)
        timer.drain()
        #expect(!Poll.wait([Poll.Interest(timer.descriptor)], timeout: .zero).readable[0])
    }
}

@Suite struct `A named thread` {
    @Test func `is finished when its body has returned, also for those who ask late`() async throws {
        let ran = Mutex(0)
        let thread = try NamedThread("test") { ran.withLock { $0 += 1 } }
        await thread.finished()
        await thread.finished()
        #expect(ran.withLock { $0 } == 1)
    }
}

@Suite struct `Instants` {
    @Test func `add and subtract to the nanosecond`() {
        let instant = BootInstant(nanoseconds: 5)
        #expect(instant.advanced(by: .seconds(1)).nanoseconds == 1_000_000_005)
        #expect(instant.duration(to: BootInstant(nanoseconds: 2)) == .nanoseconds(-3))
        #expect(Duration.milliseconds(-1_500).wholeNanoseconds == -1_500_000_000)
    }
}
