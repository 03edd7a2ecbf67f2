import Foundation
import TestSupport
import Testing

extension Integration {
    /// Devices of a person at the pages of the running console.
    @Suite struct PairedDevices {
        /// The console beside a gateway, and browsers at its pages.
        private struct Pages {
            private let program: String
            private let config: String
            private let child: TiedChild
            private let origin: String

            init(_ house: House) async throws {
                program = house.scratch.file("homegateway-console").path
                try FileManager.default.createSymbolicLink(
                    atPath: program, withDestinationPath: BuiltProgram.homegateway)
                let socket = URL(filePath: house.controlSocket).deletingLastPathComponent()
                config = try house.scratch.write(
                    """
                    listen = ["127.0.0.1:0"]
                    gateway_socket = "\(socket.path)/console.sock"
                    state_directory = "\(house.scratch.url.path)/console"
                    """, to: "console.toml"
                ).path
                child = try TiedChild([program, "serve", "--config", config])
                let line = try await child.output.first("the pages") { $0.hasPrefix("pages at ") }
                origin = "http://127.0.0.1:" + String(try #require(line.firstMatch(of: /:(\d+)\//)?.1))
            }

            var log: String { child.errors.values.joined(separator: "\n") }

            /// A code of the command line.
            func code(_ role: String, _ name: String) async throws -> String {
                let person = role == "room" ? [] : ["--person", "maria"]
                let answer = try await BuiltProgram.answer(
                    of: [program, "pair", "--role", role, "--name", name, "--config", config] + person)
                return String(
                    try #require(answer.output.firstMatch(of: /code: ([0-9A-Z-]+)/)?.1, "\(answer)"))
            }

            /// Status line, head and body of the answer.
            ///
            /// - Parameters:
            ///   - form: fields of a POST; nil for a GET.
            ///   - source: address of the browser.
            func ask(
                _ path: String, form: [String]? = nil, cookie: String? = nil, from source: String = "127.0.0.1",
                language: String = "en"
            ) async throws -> String {
                let fields = (form ?? []).flatMap { ["--data-urlencode", $0] }
                let origin = form == nil ? [] : ["--header", "Origin: \(origin)"]
                let session = cookie.map { ["--header", "Cookie: \($0)"] } ?? []
                return try await BuiltProgram.answer(
                    of: [
                        "/usr/bin/curl", "--silent", "--include", "--write-out", #"\n"#, "--interface", source,
                        "--header",
                        "Accept-Language: \(language)", self.origin + path,
                    ] + fields + origin + session
                ).output
            }

            func enter(_ code: String, from source: String = "127.0.0.1", language: String = "en") async throws
                -> String
            { try await ask("/pair", form: ["code=\(code)"], from: source, language: language) }

            /// Pairs a device, and returns its cookie.
            func pair(_ role: String, _ name: String, from source: String = "127.0.0.1") async throws -> String
            {
                let answer = try await enter(try await code(role, name), from: source)
                return String(try #require(answer.firstMatch(of: /Set-Cookie: ([^;]+);/)?.1, "\(answer)"))
            }

            /// Presses the button of a device's form on a page.
            func press(_ act: String, _ cookie: String, on page: String) async throws -> String {
                let forms = page.components(separatedBy: "<form").filter { $0.contains("action=\"\(act)\"") }
                let form = try #require(forms.first, "\(page)")
                let fields = form.matches(of: /name="(\w+)" value="([^"]*)"/).map { "\($0.1)=\($0.2)" }
                return try await ask(act, form: fields, cookie: cookie)
            }
        }

        @Test func `are told in the room, listed for the person, and ended there or in the room`() async throws
        {
            try await House.with { house in
                let gateway = try await house.start()
                let pages = try await Pages(house)
                let room = try await pages.pair("room", "Kitchen")
                let hers = try await pages.pair("person", "Maria's tablet")
                let other = try await pages.pair("person", "Gino's phone")
                let said = "A device has been added for Maria Rossi: it shows the pages of the house."
                _ = try await gateway.daemon.room.first("the words of the house") { $0.contains(said) }
                // The logs may be read after the words.
                #expect(await eventually { gateway.daemon.log.contains("a device was paired for a person") })
                #expect(await eventually { pages.log.contains("a device was paired, role person") })

                let screen = try await pages.ask("/", cookie: room)
                #expect(screen.contains("2 devices have been added: look"), "\(screen)")
                let shown = try await pages.ask("/devices", cookie: room)
                #expect(shown.contains("Gino&#39;s phone") && shown.contains("Maria Rossi"), "\(shown)")
                let list = try await pages.ask("/devices", cookie: hers)
                for text in [
                    "Devices that are paired for you", "Gino&#39;s phone", "Maria&#39;s tablet", "last used",
                ] {
                    #expect(list.contains(text), "no \(text): \(list)")
                }
                #expect(!list.contains("Kitchen"))
                let anna = try await pages.pair("family", "Anna")
                #expect(try await pages.ask("/devices", cookie: anna).contains(" 404 "))
                #expect(try await !pages.ask("/", cookie: anna).contains("added"))
                #expect(try await pages.ask("/sharing", cookie: hers).contains("href=\"/devices\""))

                // The newest first: the family's, then the strange telephone.
                let phone = try #require(list.components(separatedBy: "<article").first { $0.contains("Gino") })
                #expect(try await pages.press("/act/end-device", hers, on: phone).contains(" 303 "))
                #expect(try await pages.ask("/today", cookie: other).contains("Location: /pair"))
                #expect(try await pages.ask("/today", cookie: hers).contains(" 200 "))
                #expect(try await !pages.ask("/devices", cookie: hers).contains("Gino"))

                // In the room: the family's device is known, and hers is ended.
                let now = try await pages.ask("/devices", cookie: room)
                let parts = now.components(separatedBy: "<article")
                let family = try #require(parts.first { $0.contains("Anna") })
                #expect(try await pages.press("/act/know-device", room, on: family).contains(" 303 "))
                #expect(try await !pages.ask("/devices", cookie: room).contains("Anna"))
                let tablet = try #require(parts.first { $0.contains("tablet") })
                #expect(try await pages.press("/act/end-device", room, on: tablet).contains(" 303 "))
                #expect(try await pages.ask("/today", cookie: hers).contains("Location: /pair"))
                #expect(try await !pages.ask("/", cookie: room).contains("added"))
            }
        }

        @Test
        func `say to the person with the right code that somebody else has tried wrong ones, or has used it`()
            async throws
        {
            try await House.with { house in
                _ = try await house.start()
                let pages = try await Pages(house)
                let code = try await pages.code("person", "Maria's tablet")
                for _ in 0..<5 {
                    let wrong = try await pages.enter("00000000", from: "127.0.0.9")
                    #expect(wrong.contains(" 403 ") && wrong.contains("This code is not right"), "\(wrong)")
                }
                let honest = try await pages.enter(code)
                #expect(honest.contains(" 403 ") && honest.contains("This code is right, but no longer works"))
                #expect(honest.contains("somebody else is trying to get in"), "\(honest)")
                let italian = try await pages.enter(code, language: "it")
                #expect(italian.contains("qualcun altro prova a entrare"), "\(italian)")
                let again = try await pages.code("person", "Maria's tablet")
                _ = try await pages.enter(again, from: "127.0.0.9")
                let late = try await pages.enter(again)
                #expect(late.contains("Another device has used this code already"), "\(late)")
                _ = try await pages.enter("00000000")
                let waiting = try await pages.enter(try await pages.code("person", "Maria's tablet"))
                #expect(waiting.contains("This code was not looked at"), "\(waiting)")
            }
        }
    }
}
