import GatewayModel
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
