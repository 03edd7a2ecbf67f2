import Foundation
import TestSupport
import Testing

extension Integration {
    @Suite(.enabled(if: MosquittoProcess.isInstalled)) struct BrokerRights {
        /// Somebody at the broker under a name, listening to whatever they are let hear.
        private func listener(_ user: String, _ port: UInt16) async throws -> TiedChild {
            let child = try TiedChild([
                "/usr/bin/stdbuf", "-oL", "/usr/bin/mosquitto_sub", "-d", "-p", "\(port)", "-u", user, "-i",
                user, "-q", "1", "-t", "#",
                "-F", "heard %t %p",
            ])
            try await child.output.first("the subscription of \(user)") { $0.hasPrefix("Subscribed") }
            return child
        }

        private func say(_ payload: String, to topic: String, as user: String, _ port: UInt16) async throws {
            let child = try TiedChild([
                "/usr/bin/mosquitto_pub", "-p", "\(port)", "-u", user, "-q", "1", "-t", topic, "-m", payload,
            ])
            #expect(try await child.exitCode() == 0)
        }

        private func heard(_ listener: TiedChild) -> [String] {
            listener.output.values.filter { $0.hasPrefix("heard ") }
        }

        @Test func `let a gateway work, and keep a neighbour from reading and from answering for it`()
            async throws
        {
            let rights = try await BuiltProgram.run([
                "broker-acl", "--for", "mosquitto", "--consumer", "cloud", "--emergency-service", "centre",
            ])
            let scratch = try ScratchDirectory()
            let file = try scratch.write(rights.output + "\n", to: "acl")
            let broker = try MosquittoProcess("allow_anonymous true\nacl_file \(file.path)")
            try await broker.start()
            var settings = HouseSettings()
            settings.broker = "username = \"\(HouseSettings.gateway)\""
            try await House.with(settings, brokerPort: broker.port) { [settings] house in
                let port = house.brokerPort
                let cloud = try await listener("cloud", port)
                let gateway = try await house.start()
                let root = "trackme/v1/\(HouseSettings.gateway)"
                try await cloud.output.first("the status") { $0.hasPrefix("heard \(root)/status ") }
                // After the retained status was sent: it would be the first thing heard.
                let neighbour = try await listener("house-13", port)

                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await cloud.output.first("the reading") { $0.hasPrefix("heard \(root)/samples/") }
                let mark = cloud.output.mark
                try await house.rig.send(150)
                let alarm = try #require(try await gateway.alarm().alarm)
                try await cloud.output.first("the call", after: mark) { $0.contains("\"confirmed\"") }

                let forged = "trackme/v1/\(HouseSettings.gateway)/samples/maria/heart-rate"
                try await say("forged", to: forged, as: "house-13", port)
                let person = settings.residents[0].id
                func taken(by name: String) -> String { #"{"alarm": "\#(alarm)", "by": "\#(name)"}"# }
                for user in ["house-13", "cloud", HouseSettings.gateway] {
                    try await say(taken(by: user), to: "\(root)/sos/\(person)/accepted", as: user, port)
                }
                try await say(taken(by: "Centre"), to: "\(root)/sos/\(person)/accepted", as: "centre", port)
                let accepted = try await gateway.feed.first("accepted")
                #expect(accepted.by == "Centre")

                // All that was for others has passed by then.
                try await say("{}", to: "trackme/v1/house-13/sos/anna/accepted", as: "centre", port)
                try await neighbour.output.first("their own") { $0.hasPrefix("heard ") }
                #expect(heard(neighbour) == ["heard trackme/v1/house-13/sos/anna/accepted {}"])
                #expect(!heard(cloud).contains { $0.contains("forged") })
                #expect(!heard(cloud).contains { $0.contains("/accepted") })
                #expect(try await gateway.daemon.terminate().code == 0)
                try await cloud.output.first("the will") {
                    $0.hasPrefix("heard \(root)/status ") && $0.contains("offline")
                }
                for child in [cloud, neighbour] { await child.killed() }
            }
        }

        @Test func `let an issuer command and hear the answers but no reading, and nobody else command`()
            async throws
        {
            let cloud = try Cloud()
            let rights = try await BuiltProgram.run([
                "broker-acl", "--for", "mosquitto", "--consumer", "cloud", "--issuer", "trackme",
            ])
            let scratch = try ScratchDirectory()
            let file = try scratch.write(rights.output + "\n", to: "acl")
            let broker = try MosquittoProcess("allow_anonymous true\nacl_file \(file.path)")
            try await broker.start()
            var settings = HouseSettings(more: cloud.sections())
            settings.broker = "username = \"\(HouseSettings.gateway)\""
            try await House.with(settings, brokerPort: broker.port) { house in
                let port = house.brokerPort
                let consumer = try await listener("cloud", port)
                let issuer = try await listener("trackme", port)
                let gateway = try await house.start()
                try await house.subscribedToCommands(gateway)
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await consumer.output.first("the reading") { $0.contains("/samples/") }

                let topic = "trackme/v1/\(HouseSettings.gateway)/commands"
                let command = #"{"type":"heartbeat-interval","seconds":60}"#
                for user in ["cloud", "house-13", HouseSettings.gateway] {
                    try await say(try cloud.token(command).text, to: topic, as: user, port)
                }
                let (id, token) = try cloud.token(command)
                try await say(token, to: topic, as: "trackme", port)
                @Sendable func receipt(_ line: String) -> Cloud.Receipt? {
                    let parts = line.split(separator: " ").map(String.init)
                    let message = parts.count == 3 ? WireMessage(topic: parts[1], text: parts[2]) : nil
                    return message.flatMap(Cloud.Receipt.init).flatMap { $0.event == "command" ? $0 : nil }
                }
                try await issuer.output.first("the receipt") { receipt($0) != nil }
                let receipts = heard(issuer).compactMap(receipt)
                #expect(receipts.map(\.re) == [id] && receipts.first?.result == "done", "\(receipts)")
                #expect(heard(issuer).contains { $0.contains("/status ") })
                #expect(!heard(issuer).contains { $0.contains("/samples/") || $0.contains("/sos/") })
                for child in [consumer, issuer] { await child.killed() }
            }
        }

        /// Without a gateway: the broker's own decision about each topic is the subject.
        @Test
        func `let a relay read the copies for third parties and nothing else, and join the tasks of a server`()
            async throws
        {
            let rights = try await BuiltProgram.run([
                "broker-acl", "--for", "mosquitto", "--relay", "relay", "--party", "clinic", "--consumer",
                "trackme",
                "--relay", "trackme", "--issuer", "trackme", "--emergency-service", "trackme",
            ])
            #expect(rights.output.ranges(of: "user trackme").count == 1)
            let scratch = try ScratchDirectory()
            let file = try scratch.write(rights.output + "\n", to: "acl")
            let broker = try MosquittoProcess("allow_anonymous true\nacl_file \(file.path)")
            try await broker.start()
            let relay = try await listener("relay", broker.port)
            let server = try await listener("trackme", broker.port)
            let root = "trackme/v1/house-12"
            let copies = ["parties/clinic/maria/heart-rate", "parties/clinic/maria/heart-rate/gap"]
            let others = ["samples/maria", "sos/maria", "status", "receipts", "runs/milan/passings"]
            for topic in others + copies {
                try await say("x", to: "\(root)/\(topic)", as: "house-12", broker.port)
            }
            // The fleet's rule lets each user be the gateway of that name: a company has none.
            try await say("forged", to: "trackme/v1/clinic/sos/maria", as: "clinic@party", broker.port)
            for user in ["relay", "clinic@party", "house-13"] {
                for topic in copies + ["commands", "sos/maria/accepted"] {
                    try await say("forged", to: "\(root)/\(topic)", as: user, broker.port)
                }
            }
            for topic in ["commands", "sos/maria/accepted"] {
                try await say("own", to: "\(root)/\(topic)", as: "trackme", broker.port)
            }
            try await server.output.first("the acceptance") { $0 == "heard \(root)/sos/maria/accepted own" }
            try await relay.output.first("the gap") { $0 == "heard \(root)/\(copies[1]) x" }
            #expect(heard(relay) == copies.map { "heard \(root)/\($0) x" })
            #expect(
                heard(server) == (others + copies).map { "heard \(root)/\($0) x" }
                    + ["heard \(root)/sos/maria/accepted own"])
            for child in [relay, server] { await child.killed() }
        }

        @Test func `that lack one topic hold up no other`() async throws {
            let root = "trackme/v1/\(HouseSettings.gateway)"
            let scratch = try ScratchDirectory()
            // All but the readings.
            let rights = """
                user cloud
                topic read #
                user \(HouseSettings.gateway)
                topic write \(root)/status
                topic write \(root)/heartbeat
                topic write \(root)/sos/#
                topic read \(root)/sos/+/accepted

                """
            let file = try scratch.write(rights, to: "acl")
            let broker = try MosquittoProcess("allow_anonymous true\nacl_file \(file.path)")
            try await broker.start()
            var settings = HouseSettings()
            settings.broker = "username = \"\(HouseSettings.gateway)\""
            try await House.with(settings, brokerPort: broker.port) { house in
                let cloud = try await listener("cloud", house.brokerPort)
                let gateway = try await house.start()
                try await cloud.output.first("the status") { $0.hasPrefix("heard \(root)/status ") }
                try await house.rig.subscribed()
                try await house.rig.send(72)
                try await gateway.feed.health("broker-refused", true)
                // The word of it waits for no reading that is refused.
                try await cloud.output.first("the word of it") {
                    $0.hasPrefix("heard \(root)/status ") && $0.contains("broker-refused")
                }
                let mark = cloud.output.mark
                try await house.rig.send(150)
                try await cloud.output.first("the call", after: mark) { $0.contains("\"confirmed\"") }
                #expect(!heard(cloud).contains { $0.contains("/samples/") })
                // Both readings are kept.
                #expect(try await gateway.daemon.terminate().code == 0)
                #expect(try house.keptIDs().count >= 2)
                await cloud.killed()
            }
        }

        @Test(arguments: [
            (["--for", "rabbitmq"], "name the gateways"),
            (["--for", "rabbitmq", "House 1"], "saw 'House 1', expected 1 to 32 characters"),
            (["--for", "mosquitto", "cloud", "--consumer", "cloud"], "'cloud' is named twice"),
            (["--for", "mosquitto", "--party", "uni", "--party", "uni"], "'uni@party' is named twice"),
            (["--for", "kafka"], "mosquitto"),
        ])
        func `are not printed where they would not hold`(words: [String], reason: String) async throws {
            let answer = try await BuiltProgram.run(["broker-acl"] + words)
            #expect(answer.code == 64 && answer.errors.contains(reason), "\(answer)")
        }
    }
}
