import Foundation
import TestSupport
import Testing

extension Integration {
    /// The sandbox of the systemd unit, as far as a process can enter it without systemd.
    @Suite struct Sandbox {
        private static let asUnit = ["/usr/bin/python3", Rig.directory.appending(path: "as-unit").path]

        private func run(_ words: [String]) async throws -> BuiltProgram.Answer {
            try await BuiltProgram.answer(of: Self.asUnit + words)
        }

        /// Returns the result of each attempt, one a line.
        private func attempt(_ lines: String) async throws -> [String] {
            let answer = try await run(["--", "/usr/bin/python3", "-c", Self.attempts + lines])
            #expect(answer.code == 0, "\(answer)")
            return answer.output.split(separator: "\n").map(String.init)
        }

        @Test func `in the unit's sandbox a reading arrives, an alarm calls help, and a stop is orderly`()
            async throws
        {
            try await House.with { house in
                let gateway = try await house.start(through: Self.asUnit + ["--"])
                let witness = try await house.witness()
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await witness.sample(72)
                try await house.rig.send(150)
                let alarm = try await gateway.alarm()
                let call = try await witness.call("confirmed")
                #expect(call.payload.alarm == alarm.alarm)
                try await gateway.feed.first("handed-over") { $0.alarm == alarm.alarm }
                let stop = try await gateway.daemon.terminate()
                #expect(stop.code == 0)
            }
        }

        /// Commands and the times of a race depend on this clock. Its state is read as clinux.c does it.
        @Test func `in the unit's sandbox the state of the clock can be read, and nobody can set it`()
            async throws
        {
            let done = try await attempt(
                """
                # struct timex, which is smaller, begins with what is to be set: first nothing, then what it is already.
                state = ctypes.create_string_buffer(512)
                attempt("read", lambda: call(libc.adjtimex, state))
                ADJ_ESTERROR = 8
                ctypes.c_uint.from_buffer(state).value = ADJ_ESTERROR
                attempt("adjust", lambda: call(libc.adjtimex, state))
                attempt("set", lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))
                """)
            #expect(done == ["read: done", "adjust: EPERM", "set: EPERM"])
        }

        /// Otherwise the tests above prove nothing.
        @Test func `what the unit forbids is forbidden there`() async throws {
            let done = try await attempt(
                """
                folder = tempfile.TemporaryDirectory()
                attempt("unix", lambda: socket.socket(socket.AF_UNIX).close())
                attempt("inet", lambda: socket.socket(socket.AF_INET).close())
                attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close())
                attempt("memory", lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE))
                attempt("code", lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_WRITE | mmap.PROT_EXEC))
                attempt("namespace", lambda: call(libc.unshare, 0x10000000))
                attempt("mode", lambda: os.chmod(folder.name, 0o700))
                attempt("set-group-id", lambda: os.chmod(folder.name, 0o2700))
                attempt("mount", lambda: call(libc.mount, None, None, None, 0, None))
                """)
            #expect(
                done == [
                    "unix: done", "inet: done", "netlink: EAFNOSUPPORT", "memory: done", "code: EPERM",
                    "namespace: EPERM", "mode: done", "set-group-id: EPERM", "mount: EPERM",
                ])
        }

        @Test func `a unit that cannot be read, or has what is not done, runs nothing`() async throws {
            let absent = try await run(["--unit", "/nonexistent.service", "--", "/bin/echo", "ran"])
            #expect(absent.code == 125 && absent.output.isEmpty, "\(absent)")
            #expect(absent.errors.contains("the unit cannot be read: "), "\(absent)")
            let scratch = try ScratchDirectory()
            defer { withExtendedLifetime(scratch) {} }
            for (line, word) in [
                ("RestrictRealtime=yes", "RestrictRealtime"),
                ("SystemCallFilter=@system-service clock_ajdtime", "clock_ajdtime"),
            ] {
                let unit = try scratch.write("[Service]\n\(line)\n", to: "strange.service")
                let strange = try await run(["--unit", unit.path, "--", "/bin/echo", "ran"])
                #expect(strange.code == 125 && strange.output.isEmpty, "\(strange)")
                #expect(strange.errors.contains(word), "\(strange)")
            }
        }

        /// `attempt` prints "done", or the name of the error.
        private static let attempts = """
            import ctypes, errno, mmap, os, socket, tempfile, time
            libc = ctypes.CDLL(None, use_errno=True)

            def call(function, *arguments):
                if function(*arguments) == -1:
                    raise OSError(ctypes.get_errno(), "")

            def attempt(name, deed):
                try:
                    deed()
                    print(name + ": done")
                except OSError as problem:
                    print(name + ": " + errno.errorcode[problem.errno])


            """
    }
}
