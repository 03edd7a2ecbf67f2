import Crypto
import GatewayModel
import JSONReading
import PageSecurity
import Parties
import WebPages

/// Groups of a third party, for its programs.
struct GroupAPI: Sendable {
    private static let path = "/api/v1/party/groups"
    private static let most = 200
    /// Weeks of one answer.
    private static let mostWeeks = 10

    let groups: PartyGroupStore
    let releases: GroupReleaseStore
    let access: PartyAccess
    let offer: GroupOffer
    let clock: @Sendable () -> WallTime

    var routes: [Route] {
        [
            Route(.get, Self.path, access: .program, style: .api) { context in
                let party = try await access.party(context)
                let list = try await groups.groups(of: party.id, most: Self.most).map(GroupJSON.text)
                return .json(
                    Array(
                        #"{"groups":[\#(list.joined(separator: ","))],"offer":\#(GroupJSON.text(offer))}"#.utf8)
                )
            },
            Route(.post, Self.path, access: .program, style: .api, answer: ask),
            Route(.get, Self.path + "/{group}", access: .program, style: .api) { context in
                let party = try await access.party(context)
                let after = try context.query["after"].map { text throws(Problem) in
                    guard let week = Week(text) else {
                        throw Problem(.badRequest, "after is no Monday such as 2026-11-16")
                    }
                    return week
                }
                guard let group = try await groups.group(try Self.id(context), of: party.id) else {
                    throw Problem(.notFound, "the party has no such group")
                }
                return try await answer(group, after: after)
            },
            Route(.post, Self.path + "/{group}/end", access: .program, style: .api) { context in
                let party = try await access.party(context)
                guard let group = try await groups.end(try Self.id(context), of: party.id, at: clock()) else {
                    throw Problem(.notFound, "the party has no such group")
                }
                return .json(Array("{\(GroupJSON.members(group))}".utf8))
            },
        ]
    }

    private static func id(_ context: RouteContext) throws(Problem) -> GroupID {
        guard let id = GroupID(try context.parameter("group")) else {
            throw Problem(.notFound, "the party has no such group")
        }
        return id
    }

    private func ask(_ context: RouteContext) async throws -> WebAnswer {
        let party = try await access.party(context)
        try context.checkJSON()
        let key = try context.idempotencyKey()
        guard !offer.areas.isEmpty else {
            throw Problem(.notFound, "this server has no figures of groups")
        }
        let asked: Asked
        do {
            asked = try JSONReader.decode(
                from: context.request.body, limit: WebRequest.largestBody, names: .snakeCase)
        } catch {
            throw Problem(.badRequest, "the body is not the JSON of a group")
        }
        do {
            let group = try await groups.ask(
                NewGroup(
                    party: party.id, question: try asked.question(of: offer), idempotencyKey: key,
                    digest: Array(SHA256.hash(data: context.request.body)), asked: clock()))
            return try await answer(group, after: nil, status: 201)
        } catch GroupFault.idempotencyKeyUsed {
            throw Problem(.conflict, "the Idempotency-Key belongs to another request")
        } catch GroupFault.partyNotApproved {
            throw Problem(.badToken, "get a token at /oauth/token")
        } catch GroupFault.tooManyGroups {
            throw Problem(.busy, "100 groups a day are the limit")
        }
    }

    /// The group with its answers, oldest first.
    private func answer(_ group: PartyGroup, after week: Week?, status: Int = 200) async throws -> WebAnswer {
        let tables = try await releases.tables(for: group, after: week, most: Self.mostWeeks)
        let answers = tables.map { GroupJSON.text(GroupAnswer(group.question, of: $0)) }
        let next = (tables.last?.week ?? week).map { #","next":"\#($0)""# } ?? ""
        var answer = WebAnswer.json(
            Array(
                #"{"answers":[\#(answers.joined(separator: ","))],\#(GroupJSON.members(group))\#(next)}"#.utf8),
            status: status)
        if status == 201 { answer.headers.append(("Location", "\(Self.path)/\(group.id)")) }
        return answer
    }

    /// Body of a request.
    private struct Asked: Decodable {
        let kind: String
        let areas, ageBands, genders: [String]?
        let everybody: Bool?

        func question(of offer: GroupOffer) throws(Problem) -> GroupQuestion {
            guard let kind = GroupKind(rawValue: self.kind) else {
                throw Problem(.badRequest, "kind is none that is counted")
            }
            let areas = try Self.list(self.areas, "areas has a name that the operator has not given") { name in
                AreaName(name).flatMap { offer.areas.contains($0) ? $0 : nil }
            }
            let ages = try Self.list(ageBands, "age_bands has an unknown band") { AgeBand($0) }
            let genders = try Self.list(genders, "genders has an unknown gender") { Gender(rawValue: $0) }
            do throws(GroupQuestion.Flaw) {
                return try GroupQuestion(
                    kind: kind, areas: areas, ages: ages, genders: genders, isEverybody: everybody ?? false)
            } catch {
                switch error {
                case .list: throw Problem(.badRequest, "a list is empty, or has a value twice")
                case .unrestricted:
                    throw Problem(
                        .badRequest, "give areas, age_bands or genders, or everybody: true for all persons")
                case .contradiction:
                    throw Problem(.badRequest, "everybody stands alone, without areas, age_bands and genders")
                }
            }
        }

        private static func list<Value>(
            _ names: [String]?, _ refusal: StaticString, _ read: (String) -> Value?
        ) throws(Problem) -> [Value]? {
            guard let names else { return nil }
            let values = names.compactMap(read)
            guard values.count == names.count else { throw Problem(.badRequest, refusal) }
            return values
        }
    }
}
