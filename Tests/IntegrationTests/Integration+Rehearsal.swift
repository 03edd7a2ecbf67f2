import TestSupport
import Testing

extension Integration {
    @Suite struct Rehearsal {
        @Test func `a drill goes the whole way to the broker, marked as one, and can be cancelled`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let witness = try await house.witness()
                let drill = try await house.command("drill", "--person", "maria", "--by", "Anna")
                #expect(drill.code == 0 && drill.output.contains("the drill has begun"), "\(drill)")
                try await gateway.daemon.room.first("the drill in the room") { $0.contains("This is a drill.") }
                let call = try await witness.call("confirmed")
                #expect(call.payload.drill == true && call.payload.cause?.rule == "drill", "\(call)")
                let again = try await house.command("drill", "--person", "maria")
                #expect(again.code == 1 && again.errors.contains("goes on already"), "\(again)")
                let abort = try await house.command("abort")
                #expect(abort.code == 0, "\(abort)")
                let cancellation = try await witness.call("cancelled")
                #expect(cancellation.payload.drill == true)
            }
        }

        @Test func `exercise lifts the limit on the pulse until it is stopped`() async throws {
            try await House.with { house in
                let gateway = try await house.start()
                try await house.rig.subscribed()
                let begin = try await house.command("exercise", "--person", "maria", "--minutes", "30")
                #expect(begin.code == 0 && begin.output.contains("for 30 minutes"), "\(begin)")
                try await house.rig.send(150)
                try await gateway.feed.first("reading") { $0.value == 150 }
                let stop = try await house.command("exercise", "--person", "maria", "--stop")
                #expect(stop.code == 0 && stop.output.contains("at rest"), "\(stop)")
                #expect(!gateway.feed.lines.values.contains { ["crossing", "alarm"].contains($0.event) })
                try await house.rig.send(151)
                let crossing = try await gateway.feed.first("crossing")
                #expect(crossing.value == 151)
            }
        }

        @Test func `of somebody unknown, or for no time, is refused`() async throws {
            try await House.with { house in
                _ = try await house.start()
                for words in [["drill"], ["exercise", "--minutes", "5"]] {
                    let answer = try await house.command(words + ["--person", "nobody"])
                    #expect(answer.code == 1 && answer.errors.contains("nobody of the id nobody"), "\(answer)")
                }
                for words in [[], ["--minutes", "5", "--stop"], ["--minutes", "481"]] {
                    let answer = try await house.command(["exercise", "--person", "maria"] + words)
                    #expect(answer.code == 64, "\(answer)")
                }
            }
        }
    }
}
